import type { BoxInList } from "../../../../domain/boxes/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip, Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { boxHref, outageHref } from "./phrases.ts";

interface Props {
  readonly visit: StaffVisit;
  readonly boxes: readonly BoxInList[];
  readonly q: string;
  /** The next page; undefined: there is none. */
  readonly next: string | undefined;
}

/** Every box whose lines one sees. */
export function BoxList({ visit, boxes, q, next }: Props) {
  const { view } = visit;
  const { boxes: words, outages } = view.words;
  const columns = [
    { title: words.number },
    { title: words.address, low: true },
    { title: words.lines, end: true },
    { title: words.online, end: true },
    { title: words.dark, end: true },
  ];
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
        <div class="actions">
          <Button href="/console/outages" icon="history">
            {outages.all}
          </Button>
        </div>
      </div>
      <form class="box-find" method="get" action="/console/boxes">
        <Field
          name="q"
          id="box-q"
          type="search"
          label={words.search}
          value={q}
          attributes={{ maxLength: 100 }}
        />
        <Button icon="search">{words.find}</Button>
      </form>
      {boxes.length === 0 ? (
        <Empty icon="box" title={q === "" ? words.none : words.noneFound(q)} text={words.noneText} />
      ) : (
        <Table caption={words.title} columns={columns}>
          {boxes.map((box) => (
            <Row visit={visit} box={box} />
          ))}
        </Table>
      )}
      {next !== undefined && (
        <p class="actions box-next">
          <Button href={next} icon="forward">
            {words.next}
          </Button>
        </p>
      )}
    </>
  );
}

function Row({ visit: { view }, box }: { visit: StaffVisit; box: BoxInList }) {
  const { boxNumber, boxAddress, lines, online, dark, outageId } = box;
  const { format, words } = view;
  return (
    <tr>
      <td>
        <a href={boxHref(boxNumber)}>
          <bdi>{boxNumber}</bdi>
        </a>{" "}
        {outageId !== null && (
          <a href={outageHref(outageId)}>
            <Chip tone="bad">{words.boxes.outage}</Chip>
          </a>
        )}
      </td>
      <td class="low">{boxAddress}</td>
      <td class="end">{format.number(lines)}</td>
      <td class="end">{format.number(online)}</td>
      <td class="end">
        {dark > 0 ? (
          <span class="dotted">
            <Dot state="offline" />
            {format.number(dark)}
          </span>
        ) : (
          format.number(0)
        )}
      </td>
    </tr>
  );
}

import type { BoxesFound, BoxInList } from "../../../../domain/service/boxes/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip, Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { PageLinks } from "../../page-links.tsx";
import { boxHref, outageHref } from "./phrases.ts";

interface Props {
  readonly visit: StaffVisit;
  readonly found: BoxesFound;
  readonly q: string;
  /** Which page it is. */
  readonly at: number;
  readonly pages: number;
}

/** Every box whose lines one sees, what is dark first. */
export function BoxList({ visit, found, q, at, pages }: Props) {
  const { view } = visit;
  const { boxes, total, darkBoxes, dark } = found;
  const { boxes: words, outages } = view.words;
  const hasPlaces = boxes.some(({ boxAddress }) => boxAddress !== null);
  const count = (n: number) => view.format.number(n);
  const columns = [
    { title: words.number },
    ...(hasPlaces ? [{ title: words.address, low: true }] : []),
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
        <>
          <p class="sentence">
            {dark === 0
              ? words.noneDark(count(total), total === 1)
              : words.darkOf(count(dark), dark === 1, count(darkBoxes), count(total))}
          </p>
          <Table caption={words.title} columns={columns}>
            {boxes.map((box) => (
              <Row visit={visit} box={box} hasPlaces={hasPlaces} />
            ))}
          </Table>
        </>
      )}
      <PageLinks
        view={view}
        href={(page) => `/console/boxes?${new URLSearchParams({ q, page: String(page) })}`}
        page={at}
        pages={pages}
      />
    </>
  );
}

interface RowProps {
  visit: StaffVisit;
  box: BoxInList;
  /** Of any of them it is known where it hangs. */
  hasPlaces: boolean;
}

function Row({ visit: { view }, box, hasPlaces }: RowProps) {
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
      {hasPlaces && <td class="low">{boxAddress}</td>}
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

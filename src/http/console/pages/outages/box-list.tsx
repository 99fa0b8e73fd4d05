import type { BoxesFound, BoxInList } from "../../../../domain/service/boxes/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip, Dot } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, type ListColumn } from "../../parts/list.tsx";
import { ROWS } from "../../parts/pager.tsx";
import { boxHref, outageHref } from "../../parts/hrefs.ts";

interface Props {
  readonly visit: StaffVisit;
  readonly found: BoxesFound;
}

export function BoxList({ visit, found }: Props) {
  const { view } = visit;
  const { boxes, total, darkBoxes, dark } = found;
  const { boxes: words, outages } = view.words;
  const count = (n: number) => view.format.number(n);
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
      <div class="stack">
        <Boxes visit={visit} rows={boxes} total={total} limit={ROWS}>
          {boxes.length > 0 && (
            <p class="sentence">
              {dark === 0 ? words.noneDark(total) : words.darkOf(dark, count(darkBoxes), count(total))}
            </p>
          )}
        </Boxes>
      </div>
    </>
  );
}

export const Boxes = list<BoxInList>(({ view: { words, format } }, boxes) => {
  const { boxes: phrases } = words;
  const place: ListColumn<BoxInList> = {
    title: phrases.address,
    cell: ({ boxAddress }) => boxAddress,
    narrow: "low",
  };
  return {
    name: phrases.title,
    filters: [{ name: "q", kind: "text", label: phrases.search }],
    columns: [
      {
        title: phrases.number,
        cell: ({ boxNumber, outageId }) => (
          <>
            <a href={boxHref(boxNumber)}>
              <bdi>{boxNumber}</bdi>
            </a>{" "}
            {outageId !== null && (
              <a href={outageHref(outageId)}>
                <Chip tone="bad">{phrases.outage}</Chip>
              </a>
            )}
          </>
        ),
        narrow: "lead",
      },
      ...(boxes.some(({ boxAddress }) => boxAddress !== null) ? [place] : []),
      { title: phrases.lines, cell: ({ lines }) => format.number(lines), word: phrases.linesWord, end: true },
      {
        title: phrases.online,
        cell: ({ online }) => format.number(online),
        word: phrases.onlineWord,
        end: true,
      },
      {
        title: phrases.dark,
        cell: ({ dark }) =>
          dark > 0 ? (
            <span class="dotted">
              <Dot state="offline" />
              {format.number(dark)}
            </span>
          ) : (
            format.number(0)
          ),
        end: true,
        narrow: "sum",
      },
    ],
    empty: { icon: "box", title: phrases.none, text: phrases.noneText },
  };
});

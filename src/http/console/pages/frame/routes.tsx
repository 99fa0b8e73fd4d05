import { Icon } from "../../../pages/icons.tsx";
import { Key } from "../../../pages/parts/chip.tsx";
import { drawer, page } from "../../answers.tsx";
import { Frame, SignOut } from "../../frame.tsx";
import { type StaffVisit, staffPage } from "../../guard.ts";
import { AskedLink } from "../../parts/asked.tsx";
import { listPlaces, places } from "../../places.ts";

export const frameRoutes = [
  staffPage("/console/keys", (visit) => {
    const { words } = visit.view;
    return drawer(visit, {
      title: words.keys.title,
      lead: words.keys.lead,
      place: null,
      back: "/console",
      children: <Keys visit={visit} />,
    });
  }),
  staffPage("/console/more", (visit) =>
    page(
      visit,
      <Frame visit={visit} title={visit.view.words.frame.more} place={null}>
        <More visit={visit} />
      </Frame>,
    ),
  ),
];

function Keys({ visit: { view, by } }: { visit: StaffVisit }) {
  const { keys, places: names } = view.words;
  const others: [readonly string[], string][] = [
    [["/"], keys.search],
    [["j", "k"], keys.next],
    [["↑", "↓"], keys.choose],
    [["x"], keys.tick],
    [["Enter"], keys.open],
    [["p"], keys.pay],
    [["u"], keys.unlock],
    [["n"], keys.new],
    [[keys.space], keys.pause],
    [["?"], keys.help],
    [["Esc"], keys.close],
  ];
  const pages = listPlaces(by)
    .flat()
    .map((name): [readonly string[], string] => [["g", places[name].letter], keys.go(names[name])]);
  return (
    <ul class="drawer-body">
      {[...pages, ...others].map(([pressed, what]) => (
        <li>
          <span>
            {pressed.map((key) => (
              <Key>{key}</Key>
            ))}
          </span>
          {what}
        </li>
      ))}
    </ul>
  );
}

function More({ visit }: { visit: StaffVisit }) {
  const { words } = visit.view;
  return (
    <div class="stack">
      <h1>{words.frame.more}</h1>
      <ul class="card rows">
        {listPlaces(visit.by)
          .flat()
          .map((name) => (
            <li>
              <Icon name={places[name].icon} />
              <a class="plain" href={places[name].href}>
                {words.places[name]}
              </a>
            </li>
          ))}
        <li>
          <Icon name="invoices" />
          <a class="plain" href="/console/help">
            {words.help.title}
          </a>
        </li>
        {!visit.seeing && (
          <li>
            <Icon name="person" />
            <a class="plain" href="/console/me">
              {words.frame.me}
            </a>
          </li>
        )}
      </ul>
      <AskedLink visit={visit} />
      <SignOut visit={visit} />
    </div>
  );
}

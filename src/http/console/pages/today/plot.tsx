import { OnlinePlot, TrafficPlot } from "../../parts/plots.tsx";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { CurveSpan } from "../../../../domain/around/today/lines.ts";
import { PlotKeys } from "../../../pages/charts/plot.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { zoomScript, zoomStyle } from "../../assets.ts";
import type { ConsoleView } from "../../view.ts";
import type { StaffVisit } from "../../guard.ts";
import { refreshing } from "./live.ts";

interface Drawn {
  readonly plot: "online" | "traffic";
  readonly span: CurveSpan;
}

export function PlotCard({ visit }: { visit: StaffVisit }) {
  const { query, view } = visit;
  const drawn: Drawn = {
    plot: query.get("plot") === "traffic" ? "traffic" : "online",
    span: query.get("span") === "month" ? "month" : "day",
  };
  const { plot } = view.words.today;
  const isOnline = drawn.plot === "online";
  const titles = isOnline
    ? { day: plot.onlineDay, month: plot.onlineMonth }
    : { day: plot.trafficDay, month: plot.trafficMonth };
  return (
    <Card
      id="today-plot"
      kind="today-plot"
      title={titles[drawn.span]}
      lead={isOnline ? (drawn.span === "month" ? plot.mostOfDay : plot.byRouter) : plot.allRouters}
      aside={
        <>
          <Keys view={view} drawn={drawn} />
          {drawn.span === "month" && may(visit.by, "report_view") && <Zoom view={view} drawn={drawn} />}
          <Choice view={view} drawn={drawn} />
        </>
      }
      live={drawn.span === "day" ? refreshing(`/console/today/plot?${plotQuery(drawn)}`, ["sessions"]) : {}}
    >
      {isOnline ? (
        <OnlinePlot visit={visit} span={drawn.span} />
      ) : (
        <TrafficPlot visit={visit} span={drawn.span} />
      )}
    </Card>
  );
}

const plotQuery = ({ plot, span }: Drawn) => `plot=${plot}&span=${span}`;

function Keys({ view: { words }, drawn }: { view: ConsoleView; drawn: Drawn }) {
  const { plot } = words.today;
  if (drawn.plot === "online")
    return (
      <PlotKeys
        keys={[{ mark: "dash", text: drawn.span === "day" ? plot.sameYesterday : plot.monthBefore }]}
      />
    );
  return (
    <PlotKeys
      keys={[
        { mark: "s1", text: plot.down },
        { mark: "s5", text: plot.up },
      ]}
    />
  );
}

function Choice({ view: { words }, drawn }: { view: ConsoleView; drawn: Drawn }) {
  const { plot } = words.today;
  const other = drawn.plot === "online" ? "traffic" : "online";
  const tab = (label: string, to: Drawn) => ({
    label,
    href: `/console?${plotQuery(to)}`,
    current: plotQuery(to) === plotQuery(drawn),
  });
  return (
    <Segments
      label={plot.choose}
      tabs={[
        tab(plot.day, { ...drawn, span: "day" }),
        tab(plot.month, { ...drawn, span: "month" }),
        tab(other === "traffic" ? plot.traffic : plot.sessions, { ...drawn, plot: other }),
      ]}
    />
  );
}

/** The button that a script shows, to zoom into hours. */
function Zoom({ view: { words }, drawn: { plot } }: { view: ConsoleView; drawn: Drawn }) {
  return (
    <button
      class="button outline small"
      type="button"
      hidden
      data-zoom={`/console/today/hours?plot=${plot}`}
      data-script={zoomScript.path}
      data-style={zoomStyle.path}
      data-hint={words.today.plot.zoomHint}
    >
      {words.today.plot.zoom}
    </button>
  );
}

import { Bars } from "../../../pages/charts/bars.tsx";
import { PlotKeys } from "../../../pages/charts/plot.tsx";
import { Rate } from "../../../pages/charts/rate.tsx";
import { Sparkline } from "../../../pages/charts/sparkline.tsx";
import { StackedAreas } from "../../../pages/charts/stacked-areas.tsx";
import { Card } from "../../../pages/parts/card.tsx";

const HOUR = 3600;
const AT = Date.UTC(2030, 0, 15, 14) / 1000;
const times = Array.from({ length: 24 }, (_, index) => AT - (23 - index) * HOUR);
const waves = (most: number) => times.map((_, index) => Math.round(most * (0.7 + 0.3 * Math.sin(index / 4))));
const show = (value: number) => value.toLocaleString("en");
const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 16);
const format = { value: show, clock, date: clock, time: clock };
const words = { table: "As a table", when: "Time", down: "Down", up: "Up" };

export function Charts() {
  return (
    <div class="split">
      <div>
        <Areas />
        <Day />
      </div>
      <div>
        <Months />
        <Line />
        <Card title="Chart: spark" lead="in the height of a line">
          <Sparkline description="Sessions rose and fell" values={waves(10)} />
        </Card>
      </div>
    </div>
  );
}

function Areas() {
  return (
    <Card
      title="Chart: stacked"
      lead="named at its end, the day before dashed"
      aside={<PlotKeys keys={[{ mark: "dash", text: "yesterday" }]} />}
    >
      <StackedAreas
        description="Three routers over a day"
        times={times}
        series={[
          { name: "Tower-1", tone: "s1", values: waves(500), now: "500" },
          { name: "Harbour-2", tone: "s2", values: waves(310), now: "310" },
          { name: "Hill-3", tone: "s3", values: waves(210), now: "210" },
        ]}
        before={{ name: "Yesterday", values: waves(960) }}
        events={[{ at: AT - 9 * HOUR, text: "Hill-3 away 05:00", more: "to 05:42", mood: "bad" }]}
        format={format}
        words={words}
      />
    </Card>
  );
}

function Day() {
  const bars = Array.from({ length: 10 }, (_, index) => ({
    label: show(index + 5),
    head: `${index + 5} Jan`,
    values: [300 + ((index * 370) % 500), 100 + ((index * 130) % 200)],
    before: 600,
    href: "/console/parts",
    isLit: index === 6,
    isNow: index === 9,
    figure: index === 6 ? "1,284" : undefined,
  }));
  return (
    <Card title="Chart: bars" lead="a tick for the time before; lit when chosen; a bar is a link">
      <Bars
        description="Ten days"
        series={[
          { name: "Cash", tone: "s1" },
          { name: "Bank", tone: "up" },
        ]}
        before="December"
        bars={bars}
        value={show}
        caption="A sentence about the chosen one"
        words={words}
      />
    </Card>
  );
}

function Months() {
  const bars = Array.from({ length: 8 }, (_, index) => ({
    label: show(index + 1),
    head: `Month ${index + 1}`,
    values: [20 + ((index * 7) % 13), -((index * 5) % 9)],
    before: 18 + ((index * 3) % 7),
    pointed: show(20 + ((index * 7) % 13) - ((index * 5) % 9)),
    says: `Month ${index + 1}: ${20 + ((index * 7) % 13)} came, ${(index * 5) % 9} left`,
  }));
  return (
    <Card title="Chart: bars below the line" lead="what went hangs down; its sum while pointed at">
      <Bars
        description="Eight months of coming and going"
        series={[
          { name: "Came", tone: "s1" },
          { name: "Left", tone: "s2" },
        ]}
        before="A year ago"
        bars={bars}
        value={show}
        words={words}
      />
    </Card>
  );
}

function Line() {
  const points = times.slice(0, 14).map((at, index) => ({
    at,
    down: (12 + ((index * 7) % 14)) * 1e6,
    up: (1 + ((index * 3) % 4)) * 1e6,
  }));
  return (
    <Card title="Chart: rate" lead="the limit dashed, silence washed">
      <Rate
        description="The rate of a line until it fell silent"
        from={AT - 23 * HOUR}
        to={AT}
        points={points}
        limit={{ value: 30e6, text: "package 30 M" }}
        spans={[{ from: AT - 10 * HOUR, to: AT, mood: "bad" }]}
        moments={[{ at: AT - 3 * HOUR, text: "first refusal", mood: "bad" }]}
        format={{ ...format, value: (bits) => `${bits / 1e6} M` }}
        words={words}
      />
    </Card>
  );
}

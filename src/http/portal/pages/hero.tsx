import type { Line } from "../../../domain/desk/portal/line.ts";
import { Icon } from "../../pages/icons.tsx";
import type { View } from "../layout.tsx";
import { describeState } from "../state.ts";

export function Hero({ view, name, line }: { view: View; name: string; line: Line }) {
  const { words, format, now } = view;
  const { chips, ...home } = words.home;
  const { online, status } = line;
  const { tone, title, text } = describeState(view, line);
  const isOnline = online !== null && tone === "good"; // in the walled garden, it is connected and that is all
  return (
    <section class={`hero ${tone}`} aria-labelledby="state">
      <p class="hello">{home.hello(format.name(name))}</p>
      <h1 id="state">{title}</h1>
      <p class="hero-text">
        {isOnline ? (
          <>
            <span>{home.since(format.timeNear(online.since, now))}</span>
            {online.address !== null && <span>{home.address(format.name(online.address))}</span>}
          </>
        ) : (
          <span>{tone === "bad" && online ? `${text} ${home.connected}` : text}</span>
        )}
      </p>
      {status === "expired" && view.brand.expiredText !== "" && (
        <p class="hero-text" dir="auto">
          {view.brand.expiredText}
        </p>
      )}
      <ul class="row">
        <li class={isOnline ? "chip on" : "chip off"}>
          {isOnline ? chips.online : online ? chips.limited : chips.offline}
        </li>
        <li class="chip plain">{chips[status]}</li>
      </ul>
      <div class="hero-art">
        <Icon name={tone === "bad" ? "alert" : "wifi"} />
      </div>
    </section>
  );
}

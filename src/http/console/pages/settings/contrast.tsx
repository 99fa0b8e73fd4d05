import { contrastOf, makePalette } from "../../../pages/colors.ts";
import type { StaffVisit } from "../../guard.ts";
import { BRANDING } from "./preview.tsx";

/** The light background of colors.ts. */
const LIGHT = "#f3f5f8";
const DARK = "#212732";

/** Contrast of a colour, and its replacement where it is too low; updated while typing. */
export function Contrast({ visit: { view }, color }: { visit: StaffVisit; color: string }) {
  return (
    <div
      id="contrast"
      class="sums"
      role="status"
      hx-get={`${BRANDING}/contrast`}
      hx-trigger="input delay:200ms from:#portal_color"
      hx-include="#portal_color"
      hx-target="this"
      hx-swap="outerHTML"
      hx-sync="this:replace"
    >
      <strong>{view.words.settings.branding.contrast}</strong>
      {sentences(view, color).map((sentence) => (
        <p>{sentence}</p>
      ))}
    </div>
  );
}

function sentences({ words, format }: StaffVisit["view"], color: string): string[] {
  const { branding: b } = words.settings;
  if (!/^#[0-9a-f]{6}$/i.test(color)) return [b.noColor];
  const of = color.toLowerCase();
  const { onSolid, accentLight, accentDark } = makePalette(of);
  const ratio = (one: string, other: string) => format.number(Math.floor(contrastOf(one, other) * 10) / 10);
  return [
    b.onSolid(onSolid === "#ffffff" ? b.white : b.black, ratio(of, onSolid)),
    accentLight === of
      ? b.lightAsIs(ratio(of, LIGHT))
      : b.lightDarker(format.name(accentLight), ratio(of, LIGHT)),
    accentDark === of ? b.darkAsIs(ratio(of, DARK)) : b.darkLighter(format.name(accentDark), ratio(of, DARK)),
  ];
}

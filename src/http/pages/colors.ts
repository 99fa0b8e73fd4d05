type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** The backgrounds of text in the ISP's colour: the darker light surface and the lighter dark one of portal.css. */
const LIGHT_SURFACE: Rgb = [243, 245, 248];
const DARK_SURFACE: Rgb = [33, 39, 50];
/** WCAG 2.2, 1.4.3. */
const ENOUGH = 4.5;

/** What a page is coloured with. */
export interface Palette {
  /** Behind large things and buttons, its second tone, and text on both. */
  readonly solid: string;
  readonly solid2: string;
  readonly onSolid: string;
  /** Text and bars on the page's own surfaces. */
  readonly accentLight: string;
  readonly accentDark: string;
}

/** The ISP's colour and its companions, each with enough contrast against its background. */
export function paletteOf(color: string): Palette {
  const brand = parse(color);
  const onSolid = contrast(brand, WHITE) >= ENOUGH ? WHITE : BLACK;
  return {
    solid: show(brand),
    solid2: show(mix(brand, onSolid === WHITE ? BLACK : WHITE, 0.28)),
    onSolid: show(onSolid),
    accentLight: show(towards(brand, BLACK, LIGHT_SURFACE)),
    accentDark: show(towards(brand, WHITE, DARK_SURFACE)),
  };
}

/** The contrast of two colours `#rrggbb` (WCAG 2.2, contrast ratio). */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

/** As little darker or lighter as it takes to be readable on a surface. */
function towards(color: Rgb, end: Rgb, surface: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, surface) >= ENOUGH) return mixed;
  }
  return end;
}

function mix(color: Rgb, end: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(color[i] + (end[i] - color[i]) * share);
  return [at(0), at(1), at(2)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function parse(color: string): Rgb {
  const byte = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [byte(1), byte(3), byte(5)];
}

function show(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Backgrounds of coloured text: portal.css's darker light and lighter dark surface. */
const LIGHT_SURFACE: Rgb = [243, 245, 248];
const DARK_SURFACE: Rgb = [33, 39, 50];
const ENOUGH = 4.5;

interface Palette {
  /** Behind buttons, a second tone, and text on both. */
  readonly solid: string;
  readonly solid2: string;
  readonly onSolid: string;
  /** Text and bars on the page's own surfaces. */
  readonly accentLight: string;
  readonly accentDark: string;
  /** s2 to s5 beside the accent, light and dark. */
  readonly series: readonly Series[];
}

interface Series {
  readonly light: string;
  readonly dark: string;
}

const SERIES: readonly Series[] = [
  { light: "#b7791f", dark: "#e0a84a" },
  { light: "#7a5fc2", dark: "#a58ff0" },
  { light: "#c2527a", dark: "#e583a8" },
];
/** Replaces one too similar to the accent. */
const SPARE: Series = { light: "#0f6e84", dark: "#5297a6" };
/** The last, without hue. */
const GREY: Series = { light: "#77839a", dark: "#8793a8" };
/** Degrees. */
const APART = 30;

/** The palette of a colour, with enough contrast on each background. */
export function makePalette(color: string): Palette {
  const brand = parse(color);
  const onSolid = contrast(brand, WHITE) >= ENOUGH ? WHITE : BLACK;
  return {
    solid: show(brand),
    solid2: show(mix(brand, onSolid === WHITE ? BLACK : WHITE, 0.28)),
    onSolid: show(onSolid),
    accentLight: show(towards(brand, BLACK, LIGHT_SURFACE)),
    accentDark: show(towards(brand, WHITE, DARK_SURFACE)),
    series: seriesBeside(brand),
  };
}

/** Colours of series, without the one that is like the ISP's colour. */
function seriesBeside(brand: Rgb): Series[] {
  const hue = hueOf(brand);
  const isLike = ({ light }: Series) => {
    const other = hueOf(parse(light));
    if (hue === undefined || other === undefined) return false;
    const between = Math.abs(hue - other);
    return Math.min(between, 360 - between) < APART;
  };
  const unlike = SERIES.filter((series) => !isLike(series));
  return unlike.length === SERIES.length ? [...SERIES, GREY] : [...unlike, SPARE, GREY];
}

/** Degrees; undefined: grey. */
function hueOf([red, green, blue]: Rgb): number | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  if (range < 24) return undefined;
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return (sixth * 60 + 360) % 360;
}

/** WCAG 2.2 contrast of `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  return contrast(parse(one), parse(other));
}

/** The smallest change that is readable on a surface. */
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

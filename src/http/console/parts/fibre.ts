/** Named fibre colours (TIA-598). */
const fibres: Readonly<Record<string, string>> = {
  blue: "#2466c9",
  orange: "#e07b1a",
  green: "#12995a",
  brown: "#8a5a2b",
  grey: "#8a94a6",
  slate: "#8a94a6",
  white: "#ffffff",
  red: "#d0382e",
  black: "#121826",
  yellow: "#e6c229",
  violet: "#7a5fc2",
  purple: "#7a5fc2",
  rose: "#e583a8",
  pink: "#e583a8",
  aqua: "#3fc1c9",
  turquoise: "#3fc1c9",
};

/** As it is drawn; undefined: none that has a name. */
export function fibreColor(name: string | null): string | undefined {
  return fibres[name?.trim().toLowerCase() ?? ""];
}

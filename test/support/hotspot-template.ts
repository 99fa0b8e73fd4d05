/**
 * A page of a hotspot filled in as RouterOS does (manual, "Hotspot customisation"): `$(name)`, `$(name-esc)` for addresses, and
 * nested `$(if name == 'value')`, `$(elif ...)`, `$(else)`, `$(endif)`. Nothing is escaped for HTML: a page that is safe here
 * is safe with versions that escape.
 */
export function fillIn(template: string, variables: Readonly<Record<string, string>>): string {
  const pieces = template.split(/(\$\([^)]*\))/);
  /** For each open `if`: whether its branch is shown, and whether an earlier one was. */
  const open: { isVisible: boolean; wasVisible: boolean }[] = [];
  const isVisible = () => open.every((each) => each.isVisible);
  let filled = "";
  for (const piece of pieces) {
    const [, directive] = /^\$\(([^)]*)\)$/.exec(piece) ?? [];
    if (directive === undefined) {
      if (isVisible()) filled += piece;
      continue;
    }
    const [, word = "", condition = ""] = /^(if|elif|else|endif)\b\s*(.*)$/.exec(directive) ?? [];
    const innermost = open.at(-1);
    if (word === "if") {
      const holds = isTrue(condition, variables);
      open.push({ isVisible: holds, wasVisible: holds });
    } else if (word === "endif") open.pop();
    else if (word !== "" && innermost) {
      innermost.isVisible = !innermost.wasVisible && (word === "else" || isTrue(condition, variables));
      innermost.wasVisible ||= innermost.isVisible;
    } else if (isVisible()) filled += valueOf(directive, variables);
  }
  return filled;
}

function valueOf(name: string, variables: Readonly<Record<string, string>>): string {
  const value = variables[name];
  if (value !== undefined || !name.endsWith("-esc")) return value ?? "";
  return encodeURIComponent(variables[name.slice(0, -4)] ?? "").replace(/%20/g, "+");
}

function isTrue(condition: string, variables: Readonly<Record<string, string>>): boolean {
  const [, name = "", operator, operand = ""] =
    /^([\w-]+)\s*(?:(==|!=|<|>)\s*['"]?(.*?)['"]?\s*)?$/.exec(condition) ?? [];
  const value = valueOf(name, variables);
  switch (operator) {
    case "==":
      return value === operand;
    case "!=":
      return value !== operand;
    case "<":
      return Number(value) < Number(operand);
    case ">":
      return Number(value) > Number(operand);
    default:
      return value !== "";
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The names of the outermost object of a JSON text, in order, each as often as it occurs: JSON.parse silently keeps the last of equal
 * ones. `text` has been parsed before, so it is JSON, and an object. One pass, no recursion.
 */
export function outermostNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        depth++;
        isName = depth === 1;
        break;
      case "}":
      case "]":
        depth--;
        break;
      case ",":
        isName = depth === 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (isName) names.push(JSON.parse(text.slice(at, end + 1)));
        isName = false;
        at = end;
      }
    }
  }
  return names;
}

/** Where the string that begins at `start` has its last quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

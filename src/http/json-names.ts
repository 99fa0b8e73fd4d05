const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Names of the outermost object in order, repeated ones too (JSON.parse keeps the last silently). `text` is a valid JSON
 * object. One pass, no recursion.
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
        const end = findStringEnd(text, at);
        if (isName) names.push(JSON.parse(text.slice(at, end + 1)));
        isName = false;
        at = end;
      }
    }
  }
  return names;
}

/** The position of the closing quote. */
function findStringEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at;
}

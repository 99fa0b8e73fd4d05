import ts from "typescript";

/*
 * What the source says of a text without running it: parts that are written, and between them what is put in at run time. A name stands
 * for what it was declared with, a choice for each of its sides.
 */

/** Stands for whatever is put in at run time. */
export const HOLE = Symbol("put in");

/** One way to write a text, and the sides that it takes of choices. */
export interface Text {
  readonly parts: readonly (string | typeof HOLE)[];
  readonly sides: readonly ts.Expression[];
}

/** A text that can be written in more ways is one of which nothing is known. */
const WAYS = 64;
const DEPTH = 12;
const unknown: readonly Text[] = [{ parts: [HOLE], sides: [] }];
const written = (text: string): readonly Text[] => [{ parts: [text], sides: [] }];

/** Every way to write what an expression is. */
export function listTexts(node: ts.Expression, checker: ts.TypeChecker, depth = 0): readonly Text[] {
  const of = (part: ts.Expression) => listTexts(part, checker, depth + 1);
  const side = (part: ts.Expression) =>
    of(part).map(({ parts, sides }) => ({ parts, sides: [...sides, part] }));
  if (depth > DEPTH) return unknown;
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return written(node.text);
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (before, { expression, literal }) => joined(joined(before, of(expression)), written(literal.text)),
      written(node.head.text),
    );
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return of(node.expression);
  if (ts.isBinaryExpression(node) && isText(node)) return joined(of(node.left), of(node.right));
  if (ts.isConditionalExpression(node)) return few([...side(node.whenTrue), ...side(node.whenFalse)]);
  const initial = findInitial(node, checker);
  return initial ? of(initial) : unknown;
}

/** Whether an expression is a text by how it begins: what adds up without one is a number. */
function isText(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken && isText(node.left);
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** What a constant was declared with, or a property of one that is an object. */
function findInitial(node: ts.Expression, checker: ts.TypeChecker): ts.Expression | undefined {
  if (ts.isIdentifier(node)) return declaredAs(checker.getSymbolAtLocation(node), checker);
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const whole = findInitial(node.expression, checker);
  const object =
    whole && (ts.isAsExpression(whole) || ts.isSatisfiesExpression(whole)) ? whole.expression : whole;
  if (!object || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((one) => one.name?.getText() === node.name.text);
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined;
}

function declaredAs(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Expression | undefined {
  const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const declaration = (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
  const isConstant =
    declaration &&
    ts.isVariableDeclaration(declaration) &&
    ts.isIdentifier(declaration.name) &&
    (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return isConstant ? declaration.initializer : undefined;
}

const joined = (before: readonly Text[], after: readonly Text[]): readonly Text[] =>
  few(
    before.flatMap((start) =>
      after.map((end) => ({
        parts: [...start.parts, ...end.parts],
        sides: [...start.sides, ...end.sides],
      })),
    ),
  );

const few = (texts: readonly Text[]) => (texts.length > WAYS ? unknown : texts);

/** Whether a text that was run may be written so. */
export function fits(run: string, { parts }: Text): boolean {
  const pieces = [""];
  for (const part of parts) {
    if (part === HOLE) pieces.push("");
    else pieces.push(`${pieces.pop()}${part}`);
  }
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (pieces.length === 1) return run === first;
  const end = run.length - last.length;
  if (!run.startsWith(first) || !run.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = run.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= end;
}

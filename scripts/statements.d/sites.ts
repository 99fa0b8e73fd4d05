import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { readRowType, type Row } from "./row-types.ts";
import { listTexts, type Text } from "./texts.ts";

/** A call of `query` or `prepare` of a connection, as the source has it. */
export interface Site {
  readonly file: string;
  /** Where its text begins, and the lines that it spans, from 1 on. */
  readonly line: number;
  readonly first: number;
  readonly last: number;
  readonly ways: readonly Text[];
  /** undefined where the call says nothing of its columns. */
  readonly row: Row | undefined;
}

const call = /\.(query|prepare)[<(]/;

/**
 * The calls in src and db. Their types need the schema and what is ours of the files around: other packages are left out, which takes half
 * the time. Which calls are of a connection is told by how it is called; that none is missed shows when the tests come to it.
 */
export function listSites(root: string): readonly Site[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const read = ts.parseJsonConfigFileContent({ ...config, include: ["src", "db"] }, ts.sys, root);
  const options = { ...read.options, types: [] };
  const host = ts.createCompilerHost(options);
  const found = ts.createModuleResolutionCache(root, (name) => name, options);
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) =>
      /^\.|^drizzle-orm/.test(text)
        ? ts.resolveModuleName(text, file, options, host, found)
        : { resolvedModule: undefined },
    );
  const asking = read.fileNames.filter((name) => call.test(readFileSync(name, "utf8")));
  const program = ts.createProgram(asking, options, host);
  const checker = program.getTypeChecker();
  return asking.flatMap((name) => {
    const source = program.getSourceFile(name);
    return source ? sitesIn(source, checker, relative(root, name)) : [];
  });
}

function sitesIn(source: ts.SourceFile, checker: ts.TypeChecker, file: string): Site[] {
  const found: Site[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isConnectionCall(node)) {
      const [text] = node.arguments;
      const [row] = node.typeArguments ?? [];
      if (text)
        found.push({
          file,
          line: lineOf(text.getStart()),
          first: lineOf(node.getStart()),
          last: lineOf(node.getEnd()),
          ways: listTexts(text, checker),
          row: row && readRowType(checker.getTypeFromTypeNode(row), checker),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a call is one of the two of a connection that compile a text and keep what it answers. */
function isConnectionCall({ expression }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    /^(query|prepare)$/.test(expression.name.text) &&
    expression.expression.getText().endsWith("client")
  );
}

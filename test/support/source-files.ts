import type { SourceFile } from "../../src/domain/machine/imports/source.ts";

/** A source file that arrives in pieces of `piece` bytes. */
export function sourceFile(name: string, content: string | Uint8Array, piece = 7): SourceFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    bytes: bytes.length,
    open: () => {
      let at = 0;
      const size = Math.max(piece, Math.ceil(bytes.length / 2000));
      return new ReadableStream({
        pull(controller) {
          if (at >= bytes.length) return controller.close();
          controller.enqueue(bytes.slice(at, at + size));
          at += size;
        },
      });
    },
  };
}

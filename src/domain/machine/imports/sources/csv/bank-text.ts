import { MovingRefused, type SourceFile } from "../../source.ts";
import { decodeFile, detectEncoding } from "./encoding.ts";
import { DomainError } from "../../../../core/errors/errors.ts";
import { verbatim } from "../../../../core/errors/phrase.ts";

/** Decodes UTF-8, UTF-16 or Windows-1252. Throws `invalid` for no text table, with what to do. */
export async function bankText(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const file: SourceFile = { name, bytes: bytes.length, open: () => new Blob([bytes]).stream() };
  try {
    const { name: encoding } = await detectEncoding(file);
    let text = "";
    for await (const piece of decodeFile(file, encoding, () => {})) text += piece;
    return text;
  } catch (error) {
    if (!(error instanceof MovingRefused)) throw error;
    throw new DomainError("invalid", verbatim(error.message), {
      fields: { content: [verbatim(error.message)] },
    });
  }
}

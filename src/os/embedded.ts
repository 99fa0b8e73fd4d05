/** A file that scripts/build has embedded; undefined when run from source. */
export function embeddedFile(name: string): Blob | undefined {
  return Bun.embeddedFiles.find((blob) => "name" in blob && String(blob.name).endsWith(name));
}

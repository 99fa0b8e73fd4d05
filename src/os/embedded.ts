/** A file that scripts/build has put into the executable; undefined where it runs from its source. */
export function embeddedFile(name: string): Blob | undefined {
  return Bun.embeddedFiles.find((blob) => "name" in blob && String(blob.name).endsWith(name));
}

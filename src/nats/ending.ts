/** The end of what works in rounds, which no pause outlasts. */
export class Ending {
  readonly #end = Promise.withResolvers<void>();
  #isCome = false;

  get isCome(): boolean {
    return this.#isCome;
  }

  /** Resolves when it has come. */
  get coming(): Promise<void> {
    return this.#end.promise;
  }

  come(): void {
    this.#isCome = true;
    this.#end.resolve();
  }

  /** Waits so many milliseconds, or until the end. */
  async pause(milliseconds: number): Promise<void> {
    if (!this.#isCome) await Promise.race([Bun.sleep(milliseconds), this.#end.promise]);
  }
}

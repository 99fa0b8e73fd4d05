/** A stop signal that ends pauses early. */
export class Ending {
  readonly #end = Promise.withResolvers<void>();
  #isCome = false;

  get isCome(): boolean {
    return this.#isCome;
  }

  /** Resolves at the stop. */
  get coming(): Promise<void> {
    return this.#end.promise;
  }

  come(): void {
    this.#isCome = true;
    this.#end.resolve();
  }

  /** Waits so many milliseconds, or until the stop. */
  async pause(milliseconds: number): Promise<void> {
    if (!this.#isCome) await Promise.race([Bun.sleep(milliseconds), this.#end.promise]);
  }
}

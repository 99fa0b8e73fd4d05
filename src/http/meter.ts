export interface Served {
  readonly method: string;
  /** As in `/api/v1/role/get/:code`; `none` without a route. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

type Tell = (served: Served, request: Request) => void;

/** Times requests until the end of the answer, for `served`. */
export class Meter {
  readonly #served: Tell;
  readonly #begun = new WeakMap<Request, number>();
  readonly #failed = new WeakMap<Request, number>();

  constructor(served: Tell) {
    this.#served = served;
  }

  begin(request: Request): void {
    this.#begun.set(request, performance.now());
  }

  /** Elysia does not report the status of errors. */
  failed(request: Request, response: Response): Response {
    this.#failed.set(request, response.status);
    return response;
  }

  end(request: Request, route: string | undefined, answer: unknown, status: unknown): void {
    const answered = answer instanceof Response ? answer.status : Number(status ?? 200);
    const served = {
      method: request.method,
      route: route || "none",
      status: this.#failed.get(request) ?? answered,
      seconds: (performance.now() - (this.#begun.get(request) ?? performance.now())) / 1000,
    };
    this.#served(served, request);
  }
}

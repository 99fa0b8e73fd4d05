export interface Served {
  readonly method: string;
  /** The pattern of the route, as in `/api/v1/role/get/:code`; `none` where no route answers. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Times requests from their arrival to the end of their answer, and reports them to `served`. */
export class Meter {
  readonly #served: (served: Served) => void;
  readonly #begun = new WeakMap<Request, number>();
  readonly #failed = new WeakMap<Request, number>();

  constructor(served: (served: Served) => void) {
    this.#served = served;
  }

  begin(request: Request): void {
    this.#begun.set(request, performance.now());
  }

  /** An error's answer, the status of which Elysia does not pass on. */
  failed(request: Request, response: Response): Response {
    this.#failed.set(request, response.status);
    return response;
  }

  end(request: Request, route: string | undefined, answer: unknown, status: unknown): void {
    const answered = answer instanceof Response ? answer.status : Number(status ?? 200);
    this.#served({
      method: request.method,
      route: route || "none",
      status: this.#failed.get(request) ?? answered,
      seconds: (performance.now() - (this.#begun.get(request) ?? performance.now())) / 1000,
    });
  }
}

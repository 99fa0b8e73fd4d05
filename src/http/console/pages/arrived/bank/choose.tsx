import { FormToken } from "../../../../pages/document.tsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { page } from "../../../answers.tsx";
import type { StaffVisit } from "../../../guard.ts";
import { IspField } from "../../../isp-field.tsx";
import { MoneyFrame } from "../../../parts/money-frame.tsx";
import { BANK_READ, MOST_BYTES } from "./addresses.ts";
import { requireBank } from "./upload.ts";

export function chooseFile(visit: StaffVisit, fault?: string): Response {
  requireBank(visit);
  const { view, formToken } = visit;
  const words = view.words.bankFiles;
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" title={words.title}>
      <section class="card">
        <form method="post" action={BANK_READ} enctype="multipart/form-data" class="stack">
          <FormToken value={formToken} />
          <p class="sentence">{words.lead}</p>
          <IspField visit={visit} />
          <div class={fault === undefined ? "field" : "field wrong"}>
            <label for="file">{words.file}</label>
            <input
              id="file"
              type="file"
              name="file"
              required
              aria-describedby="file-help"
              {...(fault !== undefined && { "aria-invalid": "true" as const, autofocus: true })}
            />
            <p id="file-help" class={fault === undefined ? "hint" : "fault"}>
              {fault ?? words.fileHelp(view.format.bytes(MOST_BYTES))}
            </p>
          </div>
          <div class="actions">
            <Button kind="solid" icon="forward">
              {words.read}
            </Button>
          </div>
        </form>
      </section>
    </MoneyFrame>,
    { status: fault === undefined ? 200 : 422 },
  );
}

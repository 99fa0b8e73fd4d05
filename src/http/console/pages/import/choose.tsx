import { FormToken } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { importScript } from "../../assets.ts";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { IMPORT } from "../../parts/hrefs.ts";
import { sourceName } from "./home.tsx";

interface ChooseProps {
  visit: StaffVisit;
  source: string;
  /** ISPs for an operator. */
  fault?: string;
}

export function ChooseFiles({ visit, source, fault }: ChooseProps) {
  const { view, formToken, needs } = visit;
  const { upload, sources } = view.words.importing;
  return (
    <SettingsFrame
      visit={visit}
      current="import"
      title={upload.title(sourceName(visit, source))}
      scripts={[importScript.path]}
    >
      <Card title={upload.how}>
        <ol class="stack near listed">
          {(sources[source]?.how ?? []).map(({ text, code }) => (
            <li>
              {text}
              {code !== undefined && <code class="import-code">{code}</code>}
            </li>
          ))}
        </ol>
      </Card>
      <Card title={upload.files}>
        <form
          method="post"
          action={`${IMPORT}/upload/${source}`}
          enctype="multipart/form-data"
          class="stack import-form"
          data-upload={upload.failed}
        >
          <FormToken value={formToken} />
          <IspField visit={visit} help={upload.ispHelp} />
          <div class={fault === undefined ? "field" : "field wrong"}>
            <label for="files">{upload.files}</label>
            <input
              id="files"
              type="file"
              name="files"
              multiple
              required
              aria-describedby="files-help"
              {...(fault !== undefined && { "aria-invalid": "true" as const, autofocus: true })}
            />
            <p id="files-help" class={fault === undefined ? "hint" : "fault"}>
              {fault ?? upload.filesHelp(view.format.bytes(needs.moving.limit))}
            </p>
          </div>
          <progress class="progress" max="100" value="0" aria-label={upload.progress} hidden />
          <div class="actions">
            <Button kind="solid" icon="forward">
              {upload.submit}
            </Button>
          </div>
        </form>
      </Card>
    </SettingsFrame>
  );
}

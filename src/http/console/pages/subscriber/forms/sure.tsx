import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { Button } from "../../../../pages/parts/button.tsx";
import { staffPage } from "../../../guard.ts";
import { readPageContext } from "../context.ts";
import { formDrawer } from "./form.tsx";

const operations = {
  disable: "disableSubscriber",
  freeze: "freezeSubscriber",
  archive: "archiveSubscriber",
} as const;

/** Confirms what ends a line; posts to the action of that name. */
function sure(what: keyof typeof operations) {
  return staffPage(`/console/subscribers/:id/${what}`, (visit) => {
    permit(visit.by, operations[what]);
    const context = readPageContext(visit);
    const { forms, actions } = visit.view.words.subscriber;
    return formDrawer({
      context,
      to: what,
      title: forms.sureTitle[what],
      beside: (
        <Button kind="danger" size="large">
          {actions[what]}
        </Button>
      ),
      children: <p>{forms.sureText[what]}</p>,
    });
  });
}

export const sureRoutes = [sure("disable"), sure("freeze"), sure("archive")];

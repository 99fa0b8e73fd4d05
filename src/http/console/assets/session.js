// The session of an open page: what a page asks by itself does not count as somebody being there; and when the session has ended, one
// signs in above the page, and what was to be sent is sent with a new token.

const above = document.getElementById("sign-in");
let waiting;

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (!ctx.sourceEvent?.isTrusted) ctx.request.headers["X-Live"] = "1";
});

const prepareCode = () => {
  for (const form of document.querySelectorAll("form[data-code]:not([data-prepared])")) {
    form.dataset.prepared = "yes";
    const field = form.querySelector("[name=code]");
    const help = form.querySelector("[data-by-itself]");
    if (help) help.hidden = false;
    field?.addEventListener("input", () => {
      if (/^\d{6}$/.test(field.value.replace(/\s/g, ""))) form.requestSubmit();
    });
  }
};
prepareCode();

if (above) {
  // Every part that asks for itself is told that the session has ended: the form comes once, and is not taken from under who types in it.
  let isAsked = false;
  document.addEventListener(
    "session-ended",
    (event) => {
      if (above.open || isAsked) event.stopPropagation();
      else isAsked = true;
    },
    { capture: true },
  );
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement === above) isAsked = false;
  });
  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
    if (ctx.response.status !== 401 || above.contains(ctx.sourceElement)) return;
    const { method, form, submitter } = ctx.request;
    const { type } = ctx.sourceEvent ?? {};
    if (type === "input" || type === "change")
      waiting ??= { typed: ctx.sourceElement, type }; // it was looked at, and not sent
    else if (method !== "GET") waiting = { form, submitter, element: ctx.sourceElement };
    else if (ctx.sourceEvent?.isTrusted) waiting ??= { element: ctx.sourceElement };
  });
  document.addEventListener("htmx:after:swap", () => {
    prepareCode();
    if (above.childElementCount === 0) return;
    if (!above.open) above.showModal();
    const empty = [...above.querySelectorAll("input:not([type=hidden])")].find(({ value }) => value === "");
    (empty ?? above.querySelector("button"))?.focus();
  });
  // emptied before its event comes: a part of the page that is swapped in between would bring it back
  const shut = () => {
    above.replaceChildren();
    above.close();
  };
  above.addEventListener("cancel", (event) => {
    event.preventDefault();
    shut();
  });
  document.addEventListener("signed-in", ({ detail: { account, token } }) => {
    if (String(account) !== above.dataset.account) return location.assign("/console");
    for (const field of document.querySelectorAll("input[name=form_token]")) field.value = token;
    const { form, submitter, element, typed, type } = waiting ?? {};
    waiting = undefined;
    shut();
    // what was typed stays as it is; a page without a form that waits shows itself anew
    if (form?.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : undefined);
    else if (typed?.isConnected) typed.dispatchEvent(new Event(type, { bubbles: true }));
    else if (element?.isConnected) element.click();
    else document.body.dispatchEvent(new CustomEvent("changed"));
  });

  // A form whose answer is another page: sent when there is a box that answers and a session, so that what was typed stays until then.
  let sure;
  const asked = new WeakSet();
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const isPage = form.getAttribute("method") === "post" && !form.hasAttribute("target"); // fields may be called `method` too
    if (event.defaultPrevented || !isPage || form === sure) return;
    event.preventDefault();
    if (asked.has(form)) return;
    asked.add(form);
    const headers = { "HX-Request": "true", "HX-Request-Type": "partial" };
    const answer = await fetch(location.href, { headers, cache: "no-store" }).catch(() => undefined);
    asked.delete(form);
    if (!answer) return dispatchEvent(new Event("connection-lost"));
    if (answer.status === 401) {
      waiting = { form, submitter };
      return document.body.dispatchEvent(new CustomEvent("session-ended"));
    }
    const { name, value } = submitter ?? {}; // a part with the button in it may have come anew meanwhile
    const same = name ? `button[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]` : ":not(*)";
    sure = form;
    form.requestSubmit(submitter?.isConnected ? submitter : form.querySelector(same));
    sure = undefined;
  });
}

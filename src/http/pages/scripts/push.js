// Installs the worker of the page, and signs this browser up for notifications. `data-worker` of the page says which, `data-push` where it tells its session, of a card the key.

const { worker: workerPath, scope: workerScope, push: workerPush } = document.documentElement.dataset;
const isAble =
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
if (workerPath !== undefined && isSecureContext && "serviceWorker" in navigator)
  navigator.serviceWorker
    .register(workerPath, { scope: workerScope, updateViaCache: "none" })
    .catch(() => {});

const workerOf = () =>
  navigator.serviceWorker
    .getRegistration(workerScope)
    .then((known) => known && navigator.serviceWorker.ready);
const keysOf = (subscription) => {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth };
};

// It ends with the session that asked for it, and goes on with the next one of the same account: of another account's, which has not asked, it ends here.
const followSession = async (isShown) => {
  const form_token = document.querySelector('form[action$="/sign-out"]')?.elements.form_token.value;
  if (!form_token || !isAble || Notification.permission !== "granted") return;
  if (!isShown && sessionStorage.getItem("push") === form_token) return;
  const subscription = await (await workerOf())?.pushManager.getSubscription();
  if (!subscription) return;
  const body = new URLSearchParams({ form_token, endpoint: subscription.endpoint });
  const answer = await fetch(workerPush, { method: "POST", body, redirect: "manual" });
  if (!answer.ok) return;
  if (!(await answer.json()).is_known) await subscription.unsubscribe();
  sessionStorage.setItem("push", form_token);
};

const preparePush = async (card) => {
  const show = (state) => {
    for (const part of card.querySelectorAll("[data-push-state]"))
      part.hidden = !part.dataset.pushState.split(" ").includes(state);
  };
  const stateNow = async () => {
    if (!isSecureContext) return "insecure";
    if (!isAble) return "unsupported";
    if (Notification.permission === "denied") return "denied";
    return (await (await workerOf())?.pushManager.getSubscription()) ? "on" : "off";
  };
  const send = (form, values) => {
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    form.submit();
  };
  show(await stateNow());
  const [on, off] = ["form[data-push-form]", "form[data-push-end]"].map((one) => card.querySelector(one));
  on.addEventListener("submit", async (event) => {
    event.preventDefault();
    const permission = await Notification.requestPermission();
    if (permission !== "granted") return show(await stateNow());
    try {
      const { pushManager } = await navigator.serviceWorker.ready;
      await (await pushManager.getSubscription())?.unsubscribe(); // of an older key
      const asked = { userVisibleOnly: true, applicationServerKey: card.dataset.push };
      send(on, keysOf(await pushManager.subscribe(asked)));
    } catch {
      show("failed");
    }
  });
  off.addEventListener("submit", async (event) => {
    event.preventDefault();
    const subscription = await (await workerOf())?.pushManager.getSubscription();
    await subscription?.unsubscribe();
    send(off, { endpoint: subscription?.endpoint ?? "" });
  });
};
const pushCard = document.querySelector("body [data-push]");
const followed = followSession(pushCard !== null).catch(() => {});
if (pushCard) followed.then(() => preparePush(pushCard));

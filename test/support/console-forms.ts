/** What is typed into a form where nothing stands. */
export const values: Readonly<Record<string, string>> = {
  ...{ name: "Something new", username: "newcomer", reason: "because", note: "it is so", q: "user" },
  ...{
    password: "secret-1",
    current: "secret-1",
    chosen: "another-1",
    passphrase: "a passphrase for backups",
  },
  ...{ amount: "1", price: "5", reseller_price: "4", counted: "0", quantity: "1", hours: "1", prefix: "" },
  ...{ mobile_number: "0300 7654321", nic_number: "N-77", address: "10.77.0.9", range: "10.66.0.0/24" },
  ...{ card: "C-000001", mac: "AA:BB:CC:DD:EE:09", to: "0300 7654321", body: "Hello", secret: "a-secret-1" },
  ...{
    host: "mail.isp.example",
    from: "office@isp.example",
    url: "https://receiver.example/",
    type: "*",
    code: "A",
  },
};
/** The same in some forms alone. */
export const valuesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/console/routers/test-login": { username: "user1" },
  "/console/packages/:id/edit": { reseller_price: "" },
  "/console/settings/access-boxes/new": { name: "tower-9" },
  "/console/online/end-all": { confirm: "core" },
};

/** Forms that are pressed in other tests, and why not here. */
export const elsewhere: Readonly<Record<string, string>> = {
  "/console/sign-out": "the session would be over: sign-in",
  "/console/settings/staff/:id/see-as": "the session would be another one: seeing",
  "/console/settings/roles/:code/see-as": "the session would be another one: seeing",
  "/console/seeing/end": "stands while somebody sees as another: seeing",
  "/console/settings/backups/make": "a thread of its own makes it: backups",
  "/console/settings/backups/try": "a thread of its own tries it: backups",
  "/console/settings/backups/download": "a file: backups",
  "/console/settings/import/runs/:id/again": "a process of its own reads: import",
  "/console/settings/import/runs/:id/columns": "a process of its own reads: import",
  "/console/settings/import/runs/:id/options": "a process of its own reads: import",
  "/console/settings/import/runs/:id/move": "a process of its own moves: import",
  "/console/settings/import/runs/:id/discard": "takes files away for good: import",
  "/console/settings/import/upload/:source": "takes files in: import",
  "/console/sign-in": "of who is not signed in: sign-in",
  "/console/sign-in/again": "above a page whose session is over: sign-in",
  "/console/sign-in/again/code": "above a page whose session is over: sign-in",
  "/console/sign-in/code": "of who is asked for one: sign-in",
  "/console/money/arrived/bank/look": "goes on from a file: bank-files",
  "/console/money/arrived/bank/take": "goes on from a file: bank-files",
  "/console/boxes/:number/take": "of a line that a new device was refused at: outages",
  "/console/boxes/:number/test": "of a line that a new device was refused at: outages",
  "/console/subscribers/:id/restore": "of who has left: person",
  "/console/subscribers/:id/unlock": "of a line that is locked and refused: person",
  "/console/subscribers/:id/take-device": "of a line that is locked and refused: person",
  "/console/subscribers/:id/trust": "of a line that has ended: person",
  "/console/packages/:id/apply": "of a package whose terms changed since it was sold: packages",
  "/console/routers/:id/radsec/:certificate/file":
    "of a certificate whose key was kept nowhere: router-radsec",
  "/console/routers/:id/api-setup/yes": "of a router that answers: router-setup",
  "/console/routers/:id/api-setup/no": "of a router that answers: router-setup",
  "/console/routers/:id/leave": "of a router that asks from elsewhere: routers",
  "/console/routers/:id/address": "of a router that asks from elsewhere: routers",
  "/console/routers/:id/forget": "of a router that was asked to speak alone in another way: routers",
  "/console/settings/branding/logo/remove": "of an ISP with a logo: settings",
  "/console/settings/webhooks/:id/enable": "of one that is switched off: webhooks",
  "/console/messages/channels/:id/enable": "of one that is switched off: message-channels",
  "/console/messages/channels/:id/secret": "of one with a callback: message-channels",
  "/console/settings/payment-sources/:id/enable": "of one that is switched off: payment-sources",
  "/console/settings/import/runs/:id/stop": "of a run at work: import",
  "/console/settings/import/runs/:id/passwords": "of a move that made passwords: import",
};
/** Forms that are refused as things stand here, in words; what they do is tested with what they are about. */
export const refusedHere: Readonly<Record<string, string>> = {
  "/console/online/end": "no router answers",
  "/console/online/end-all": "no router answers",
  "/console/routers/:id/test": "no router answers",
  "/console/subscribers/:id/disconnect": "no router answers",
  "/console/start/:step": "the printed password is not known",
  "/console/settings/import/moves/:id/undo": "its number is not typed",
  "/console/cards/:id/void": "no router answers",
  "/console/routers/:id/remove": "subscribers point at it",
  "/console/subscribers/:id/extend": "the line is switched off",
  "/console/subscribers/:id/archive": "the wallet holds money",
  "/console/subscribers/:id/card": "no card has this code",
  "/console/subscribers/:id/message": "nobody knows a number",
  "/console/subscribers/:id/message/preview": "nobody knows a number",
  "/console/subscribers/:id/pay": "nothing is due",
  "/console/money/payments/:id/reverse": "it was paid for a card",
  "/console/money/wallets/:id/pay-out": "the wallet holds nothing",
  "/console/messages/channels/:id/test": "nobody answers at its address",
  "/console/messages/texts/try": "nobody answers at its address",
  "/console/messages/channels/:id/delete": "rules send by it",
  "/console/messages/texts/:id/delete": "a rule sends it",
  "/console/settings/roles/:code/delete": "staff have it",
  "/console/settings/staff/:id/edit": "the last Admin stays one",
  "/console/settings/branding/logo": "the file is no picture",
  "/console/settings/backups/passphrase": "it is not typed twice alike",
  "/console/me/second-factor": "the code is wrong",
  "/console/me/second-factor/remove": "the code is wrong",
  "/console/me/recovery-codes": "the code is wrong",
};

/** Words of programs that are said on purpose: names that stand so elsewhere, where they are set or asked for. */
export const spoken: ReadonlySet<string> = new Set([
  ...["hrm_module", "notice_view", "notice_add_new"], // flags of other programs, which follow nothing here
  ...["expires_soon", "payment_receipt", "quota_80", "password_changed"], // names of texts, and of events as programs get them
  ...["batch_made", "first_used", "signed_in"],
  ...["api_key", "whatsapp_business_messaging"], // as the provider calls it
  ...["custom_fields", "refund_reference", "refund_amount", "transaction_reference"],
  "disconnect_confirm", // brought in with a data set, by the command line
  ...["expires_at", "phone_number", "mobile_number"], // targets of columns, in the report of an import
  ...["gatehouse box", "--access", "--now"], // to be typed at another machine
]);

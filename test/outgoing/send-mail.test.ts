import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Channel } from "../../src/domain/around/messages/channels.ts";
import type { SmtpSettings } from "../../src/domain/around/messages/channel-settings.ts";
import { outside } from "../../src/outgoing/request.ts";
import { sendMessage } from "../../src/outgoing/send-message.ts";
import { certificate } from "../support/certificate.ts";
import { headerOf, mailServer } from "../support/smtp.ts";

const PASSWORD = "hush-mail-77";
let pair: { cert: string; key: string };
let server: Awaited<ReturnType<typeof mailServer>>;
beforeAll(async () => {
  pair = await certificate();
  server = await mailServer({ ...pair, login: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const message = {
  id: "msg_1",
  to: "ann@example.com",
  subject: "Grüße, Änn",
  body: "Hello Ann\n.\nsecond line",
  language: "en",
  username: "ann",
};

function channelAt(port: number, more: Partial<SmtpSettings> = {}, allowLocal = 1): Channel {
  const settings: SmtpSettings = {
    kind: "smtp",
    host: "localhost",
    port,
    tls: "starttls",
    user: "office",
    from: "Northlink <office@isp.example>",
    replyTo: "help@isp.example",
    ...more,
  };
  return {
    id: 1,
    ispId: 1,
    name: "Mail",
    kind: "smtp",
    address: "email",
    isSms: 0,
    perMinute: 60,
    passesId: 0,
    allowLocal,
    disabledAt: null,
    downSince: null,
    downReason: null,
    tryAt: null,
    createdAt: 0,
    settings,
    secrets: ["password"],
    missing: [],
  };
}

const world = (milliseconds = 20_000) => ({
  resolve: async () => ["127.0.0.1"],
  ca: pair.cert,
  milliseconds,
});
const send = (to: string, channel = channelAt(server.port), milliseconds = 20_000) =>
  sendMessage({ channel, secrets: { password: PASSWORD } }, { ...message, to }, world(milliseconds));

test("a mail goes over STARTTLS, signed in, with our Message-ID and the words in it", async () => {
  const before = server.mails.length;
  expect(await send("ann@example.com")).toEqual({ kind: "sent" });
  const mail = (await server.took(before + 1)).find(({ to }) => to[0] === "ann@example.com");
  expect(mail).toMatchObject({ from: "office@isp.example", secure: true, user: "office" });
  if (!mail) throw new Error("no mail");
  expect(headerOf(mail, "Message-ID")).toBe("<msg_1@isp.example>");
  expect(headerOf(mail, "From")).toBe("Northlink <office@isp.example>");
  expect(headerOf(mail, "Reply-To")).toBe("help@isp.example");
  expect(headerOf(mail, "To")).toBe("ann@example.com");
  expect(headerOf(mail, "Auto-Submitted")).toBe("auto-generated");
  expect(headerOf(mail, "Subject")).toMatch(/=\?UTF-8\?/);
  expect(mail.text).toContain("Hello Ann\r\n.\r\nsecond line");
});

test("implicit TLS, and none in the own network, go too", async () => {
  await using implicit = await mailServer({ ...pair, secure: true });
  expect(await send("a@b.example", channelAt(implicit.port, { tls: "implicit", user: "" }))).toEqual({
    kind: "sent",
  });
  expect((await implicit.took(1))[0]?.secure).toBe(true);
  await using plain = await mailServer();
  expect(await send("a@b.example", channelAt(plain.port, { tls: "none", user: "" }))).toEqual({
    kind: "sent",
  });
  expect((await plain.took(1))[0]?.secure).toBe(false);
});

test("a server without STARTTLS, or with another's certificate, gets neither password nor mail", async () => {
  await using plain = await mailServer({ login: false });
  expect(await send("a@b.example", channelAt(plain.port))).toMatchObject({ kind: "down" });
  expect(plain.mails).toEqual([]);
  const stranger = channelAt(server.port, { host: "mail.example" });
  const came = await send("a@b.example", stranger);
  expect(came).toMatchObject({ kind: "down" });
});

test("each fault is what it is: of the person, of the moment, or of the server", async () => {
  const before = server.mails.length;
  expect(await send("refused@example.com")).toEqual({
    kind: "refused",
    reason: "localhost: 550 nobody of that name lives here",
  });
  expect(await send("later@example.com")).toMatchObject({ kind: "failed" });
  expect(await send("later@example.com")).toEqual({ kind: "sent" });
  expect(await send("busy@example.com")).toMatchObject({ kind: "down" });
  expect(await send("gone@example.com")).toMatchObject({ kind: "unknown" });
  expect(await send("cut@example.com")).toMatchObject({ kind: "unknown" });
  expect(await send("slow@example.com", channelAt(server.port), 1000)).toMatchObject({ kind: "unknown" });
  expect((await server.took(before + 3)).slice(before).map(({ to }) => to[0])).toEqual([
    "later@example.com",
    "cut@example.com",
    "slow@example.com",
  ]);
});

test("a wrong password is the channel's fault, and is not repeated in what is said of it", async () => {
  const came = await sendMessage(
    { channel: channelAt(server.port), secrets: { password: "wrong-secret-9" } },
    message,
    world(),
  );
  expect(came).toMatchObject({ kind: "down", reason: expect.stringContaining("535") });
  expect(JSON.stringify(came)).not.toContain("wrong-secret-9");
});

test("a local address is connected to only where it is allowed, and nobody listens in words", async () => {
  expect(await send("a@b.example", channelAt(server.port, {}, 0))).toMatchObject({
    kind: "down",
    reason: expect.stringContaining("not an address of the public internet"),
  });
  const nobody = channelAt(9, { host: "127.0.0.1" });
  expect(await sendMessage({ channel: nobody, secrets: { password: "x" } }, message, outside)).toMatchObject({
    kind: "down",
  });
});

test("an address with a line break or a list in it adds no header and no recipient", async () => {
  const before = server.mails.length;
  await send("ann@example.com>\r\nRCPT TO:<eve@example.com");
  await send("ann@example.com, eve@example.com");
  for (const { to, text } of server.mails.slice(before)) {
    expect(to).not.toContain("eve@example.com");
    expect(text).not.toMatch(/^RCPT TO/m);
  }
});

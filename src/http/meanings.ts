/** The chapters of the API in the order in which a client needs them, and what each is for; Markdown. */
export const chapters: Readonly<Record<string, string>> = {
  "Staff authentication":
    "Signs a person of the ISP in to an app and tells who that is. The token opens the calls of this chapter and no other: it is proof of a person, while the work of the following chapters is asked for by HTTP Basic.",
  Subscribers:
    "The customers of the ISP: find, create and change them, see what they use, keep notes, reset passwords, bind MAC addresses. A new one cannot go online before it is activated. Takes HTTP Basic.",
  Activation:
    "Sells a subscriber its package, or another one, brings what changed to the session that is open, and ends sessions. Takes HTTP Basic.",
  "Roles and permissions": "What staff who are no Admin may do. Takes HTTP Basic.",
  "Subscriber authentication":
    "Signs a subscriber in to the ISP's app. The token opens the calls of this chapter and the way into the portal.",
  "Subscriber portal": "The pages that subscribers see in a browser, and the app's way into them.",
  Appliance: "Whether the box is well, and this documentation.",
};

/** The text before the chapters; Markdown. */
export const introduction = [
  "**The calls of staff and their programs take HTTP Basic**: with every call, the username or e-mail address of a staff account and its password, as in `curl -u ada:PASSWORD http://BOX:8080/api/v1/subscriber/list`. There is nothing to fetch or to renew before. Give each program an account of its own (`gatehouse staff add`) with a role that has `api_access` and the permissions of the calls it makes; each call names its own. An Admin needs no role. An account sees its ISP, its branch where it has one, and as a Reseller its own subscribers; whatever else there is does not exist for it (404).",
  "**A staff token** is what an app gets in which staff sign in: `POST /api/v1/users/login` answers it, and it is sent as `Authorization: Bearer TOKEN`. It lives 30 days unless the configuration says otherwise; refresh it before it ends, and log in again after any 401. It opens the calls of its chapter, not those that take HTTP Basic. **A subscriber token** is the same for the app of subscribers.",
  "**A first walk**: create a subscriber, activate it, look at its usage when it is online, disconnect it after a change.",
  "Times are `Y-m-d H:i:s` in the server's zone, amounts numbers with at most two decimals. Bodies are form fields or JSON; a field may be sent once. A path that is not here answers 404, another method 405 with `Allow`, each in the error body of its family. On one connection, wait for an answer before you send the next request: written at once, requests are answered in order only as long as none of them has to wait for a password to be verified or for a router; otherwise the connection ends.",
].join("\n\n");

/** What a name means in every chapter that does not say otherwise. */
const everywhere: Readonly<Record<string, string>> = {
  id: "Number of the row.",
  isp_id: "The ISP that it belongs to.",
  branch_id: "The branch of the ISP that it belongs to; 0 is the whole ISP.",
  user_id: "The subscriber, by its `id`.",
  username: "Name to sign in with, for RADIUS, app and portal; compared without case.",
  password: "Password of the line: what the router of the subscriber sends.",
  email: "E-mail address.",
  name: "Name as people read it.",
  message: "What happened, for people.",
  success: "What was done, for people.",
  data: "What was asked for.",
  token_type: "The scheme of the Authorization header.",
  token: "What to send as `Authorization: Bearer TOKEN`.",
  code: "Number of the role, by which accounts and calls name it.",
  role_code: "The role, by its `code`.",
  package_id: "The package that is sold.",
  note: "The note's text.",
  mac_address: "MAC address of the subscriber's device; shown as AA:BB:CC:DD:EE:FF.",
};

/** What a name means in a chapter. */
const inChapter: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Staff authentication": {
    id: "Number of the account.",
    user: "The account that signed in.",
    isp_id:
      "The ISP of the account, to be sent as isp_id elsewhere; 0 is the operator of the box, who sees every ISP.",
    branch_id: "The branch of the account, to be sent as branch_id elsewhere; 0 is the whole ISP.",
    profile_type: "Kind of the account: 1 Admin, 2 Staff, 3 Reseller.",
    name: "Name of the person.",
    username: "Name to sign in with.",
    password: "Password of the account.",
    phone: "Telephone number.",
    status: "`success`; a refusal answers `error`.",
    expires_at: "When the token ends.",
  },
  "Roles and permissions": {
    isp_id: "The ISP whose roles are meant; the operator of the box has to name it where a role is created.",
    branch_id: "Narrows the call to a branch; roles belong to the whole ISP.",
    name: "Name of the role; need not be the only one.",
    permissions:
      "Every permission of this installation by its name, 1 given or 0 not; null before any was set.",
    updated_fields: "The permissions that were sent and are known.",
  },
  Activation: {
    isp_id: "Narrows the call to an ISP: a subscriber of another one is not found.",
    branch_id: "Narrows the call to a branch: a subscriber of another one is not found.",
    package_id: "The package to sell; the one that it has renews it.",
    new_expiration: "When the service ends from now on.",
    amount_charged: "What was taken from the balance: the package's price.",
    note: "What to do next.",
    session_id: "The router's name for the session (Acct-Session-Id), as the usage shows it.",
    books_only: "1 closes it in the books without asking the router.",
  },
  Subscribers: {
    id: "Number of the subscriber; other calls name it `user_id`.",
    isp_id:
      "The ISP that the subscriber belongs to. In calls by id it narrows: a subscriber of another ISP is not found.",
    branch_id:
      "The branch that the subscriber belongs to; 0 is the whole ISP. In calls by id it narrows: a subscriber of another branch is not found.",
    name: "Name of the person or company.",
    package_id:
      "The package of the profile, which the next activation sells; the service that runs may have another one.",
    connection_type_id:
      "How it connects: 1 RADIUS PPPoE, 2 RADIUS hotspot, 3 PPPoE, 4 hotspot and 5 static address by the router's API.",
    salesperson_id: "The Admin or Reseller whose customer it is, by the number of the account.",
    nas_id: "The router that it connects to.",
    nic_number:
      "Number of the identity card or company register; no other subscriber has it, unless the setting unique_contacts is 0.",
    mobile_number: "Mobile number; no other subscriber has it, unless the setting unique_contacts is 0.",
    phone_number:
      "Another telephone number; no other subscriber has it, unless the setting unique_contacts is 0.",
    email: "E-mail address; no other subscriber has it, unless the setting unique_contacts is 0.",
    address: "Postal address.",
    city_id: "City, by its number in the data set of the ISP.",
    area_id: "Area of the city, by its number.",
    subarea_id: "Part of the area, by its number.",
    area_data: "The names to city_id, area_id and subarea_id.",
    area: "The area; null without one.",
    subarea: "The part of the area; null without one.",
    city: "The city; null without one.",
    latitude: "Where the line ends: degrees north of the equator.",
    longitude: "Where the line ends: degrees east of Greenwich.",
    box_number: "Distribution box that the line comes from.",
    box_address: "Where that box is.",
    uplink_port: "Port of the box towards the ISP.",
    fiber_code: "Code of the fibre.",
    fiber_color: "Colour of the fibre.",
    switch_board: "Switch that the line ends in.",
    switch_port: "Port of that switch.",
    backup_connection: "What the subscriber has when the line fails.",
    electricity_socket: "Socket that feeds the equipment.",
    cable_type: "Kind of cable.",
    static_ip: "IPv4 address that the subscriber always gets (Framed-IP-Address).",
    framed_ipv6_prefix: "IPv6 prefix of the link (Framed-IPv6-Prefix).",
    delegated_ipv6_prefix: "IPv6 prefix for the network behind it (Delegated-IPv6-Prefix).",
    mac_lock: "1: logins from another address than mac_address are rejected.",
    mac_login: "1: the subscriber may log in by its MAC address alone.",
    sms_status: "1: the subscriber gets text messages.",
    auto_renew:
      "1: the service renews by itself shortly before its end, as far as the wallet holds the price.",
    credit_limit:
      "What a postpaid subscriber may owe before a renewal by itself, as an amount; null: one price of its package.",
    balance: "Money in the wallet; below zero it is owed.",
    billing_type: "`prepaid`: the balance has to cover an activation; `postpaid`: an invoice is written.",
    profile_status:
      "`disabled` by staff, `inactive` before the first activation, `expired` after its end, else `active`.",
    connection_status: "`online` while a session is open.",
    current_expiration_date: "When the service ends; null before the first activation.",
    created_at: "When the record was made.",
    updated_at: "When the record was last changed.",
    mobile: "Mobile number, exactly.",
    phone: "Other telephone number, exactly.",
    nic: "nic_number, exactly.",
    connection_type: "connection_type_id.",
    limit: "Records on a page; 100 unless it is said.",
    offset: "Records to skip; X-Total-Count says how many there are.",
    online: "Whether a session is open.",
    session: "The newest open session; null when offline.",
    ip: "IPv4 address in the session.",
    nas_ip: "Address of the router.",
    session_id: "The router's name for the session (Acct-Session-Id).",
    mac: "MAC address that the router reported.",
    start_time: "When the session began.",
    last_update: "When the router last reported about it.",
    data_quota: "Data volume of the package.",
    enabled: "Whether the service has a volume.",
    total_bytes: "The volume; 0 without one.",
    used_bytes: "Up plus down since the last activation.",
    global_note: "The note about the subscriber that staff can set; empty without one.",
    staff_notes: "Notes that staff added, in the order they were written; they cannot be changed.",
    note: "Text of the note about the subscriber, in place of the one before; sent empty it is cleared.",
    added_by: "The account of who wrote it, by its number.",
    new_password: "The new password of the line.",
  },
  "Subscriber authentication": {
    subscriber: "Who signed in.",
    id: "Number of the subscriber.",
    fullname: "Name of the person or company.",
    email: "E-mail address; empty without one.",
    phone: "Mobile number.",
    package_name: "Name of the package.",
    expiration_date: "When the service ends; empty before the first activation.",
    status: "Whether the service runs.",
    success: "true; a refusal answers false.",
    expires_in: "Seconds that the token lives from now.",
    password: "The portal password where there is one, else the password of the line.",
  },
  "Subscriber portal": {
    id: "Number of the invoice.",
    current: "The portal password as it is, or the password of the line where there is none.",
    chosen: "The new portal password, at least eight characters.",
    again: "The new password once more.",
    form_token: "What the page put into its form: it proves that the form is from this session.",
    password: "The portal password where there is one, else the password of the line.",
    file: "Name of the file.",
    isp: "The ISP, by its number.",
    price: "What the page said that the renewal costs; another price by now is refused and shown.",
  },
  Appliance: {
    database: "Whether the database answers.",
    radius: "Whether both RADIUS ports listen.",
    status: "`ok`, or `failing`.",
    findings: "What was looked at, one entry each.",
    severity: "`ok`, `warning` or `error`.",
    subject: "What was looked at, in one or two words.",
    message: "What was found and, where it is not right, what to do.",
    openapi: "Version of the OpenAPI specification.",
  },
};

/** What a field is, beside what it may be; undefined for a name that nobody has explained. */
export function meaningOf(name: string, chapter: string): string | undefined {
  return inChapter[chapter]?.[name] ?? everywhere[name];
}

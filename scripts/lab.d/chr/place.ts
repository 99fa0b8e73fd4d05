/* Where everything is: scripts/lab gives the loopback interface of a namespace of its own these addresses. */

/** Where Gatehouse is, and where the router's API and its Disconnect-Requests come in: qemu passes them on from here. */
export const BOOKS = "10.77.0.1";
/** Where the API of the machine that dials in comes in. */
export const HOUSE = "10.77.0.3";
/** Somebody else's server, which who has paid reaches. */
export const WORLD = "10.78.0.1";
export const WORLD_NETWORK = "10.78.0.0/24";

export const API_PORT = 8728;
export const COA_PORT = 3799;
export const HTTP_PORT = 8080;
export const WALLED_PORT = 8081;

/** Of the router as Gatehouse knows it. */
export const ROUTER = "lab";
export const SECRET = "lab-secret-of-radius";
/** Of the router's admin, whom it has without one at first. */
export const ADMIN = { username: "admin", password: "lab-admin" };
/** Of a local account of the router, which no copy of its configuration may have. */
export const OFFICE_PASSWORD = "lab-office-password";

/** The MAC address of the house's end of the cable. */
export const HOUSE_MAC = "02:77:00:00:03:02";

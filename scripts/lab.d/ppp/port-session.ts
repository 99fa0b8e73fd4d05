import { must } from "../run-steps.ts";
import type { Step } from "./access-lab.ts";
import { address, port, SECRET } from "./access-server.ts";
import { houses } from "./isp.ts";

/** Who lets the device of the port in by EAP, which Gatehouse does not speak: a RADIUS server that hostapd is too. */
const EAP_SERVER = `driver=none
eap_server=1
eap_user_file=/tmp/hostapd.users
radius_server_clients=/tmp/hostapd.clients
radius_server_auth_port=1645
`;

/** The authenticator of a wired port, which tells Gatehouse of its sessions, and is told to end them. */
const HOSTAPD = `interface=port0
driver=wired
logger_stdout=-1
logger_stdout_level=1
ieee8021x=1
auth_server_addr=127.0.0.1
auth_server_port=1645
auth_server_shared_secret=lab
own_ip_addr=${address.accessServer}
nas_identifier=lab
acct_server_addr=${address.box}
acct_server_port=1813
acct_server_shared_secret=${SECRET}
radius_das_port=${port.das}
radius_das_client=${address.box} ${SECRET}
radius_das_require_event_timestamp=1
`;

const SUPPLICANT = `ap_scan=0
network={
  key_mgmt=IEEE8021X
  eap=MD5
  identity="switch"
  password="pw-switch"
  eapol_flags=0
}
`;

const START = `set -e
ip netns add switch
ip link add port0 type veth peer name eth0 netns switch
ip link set port0 up
ip -n switch link set eth0 up
printf '"switch" MD5 "pw-switch"\\n' >/tmp/hostapd.users
echo '127.0.0.1 lab' >/tmp/hostapd.clients
cat >/tmp/eap-server.conf <<'END'
${EAP_SERVER}END
cat >/tmp/hostapd.conf <<'END'
${HOSTAPD}END
cat >/tmp/supplicant.conf <<'END'
${SUPPLICANT}END
hostapd -B -f /tmp/eap-server.log /tmp/eap-server.conf >/dev/null
hostapd -B -f /tmp/hostapd.log /tmp/hostapd.conf >/dev/null
ip netns exec switch wpa_supplicant -B -D wired -i eth0 -c /tmp/supplicant.conf -f /tmp/supplicant.log >/dev/null
`;

/** hostapd is a real server of RFC 5176, which pppd is not. */
export const portSession: Step = {
  what: "a Disconnect-Request to hostapd, which requires an Event-Timestamp",
  run: async (lab) => {
    await lab.root(START);
    await lab.until("the session of the port", async () => {
      const session = await lab.session(houses.switch);
      return session !== undefined && session.stop_time === null;
    });
    const output = await lab.gatehouse("sessions end switch");
    const log = await lab.root("cat /tmp/hostapd.log");
    must(/STA-DISCONNECTED|DAS: .*disconnect/i.test(log), `hostapd did not end it: ${output}\n${log}`);
    await lab.stopped(houses.switch);
    return `hostapd lets go of the port; Gatehouse says "${output.split("\n").at(-1)}", and so do the books`;
  },
};

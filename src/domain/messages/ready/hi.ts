import type { Ready } from "./names.ts";

export const hi: Ready = {
  welcome: {
    subject: "{{isp}} में आपका स्वागत है",
    body: "{{name}}, {{isp}} में आपका स्वागत है। आपका लॉगिन {{username}} है। भुगतान में {{reference}} लिखें।\n{{contact}}",
  },
  payment_receipt: {
    subject: "रसीद {{number}}",
    body: "{{isp}}: {{name}}, हमें आपसे {{amount}} मिले। रसीद {{number}}। आपका बैलेंस {{balance}} है।",
  },
  expires_soon: {
    subject: "आपका इंटरनेट {{date}} को समाप्त होगा",
    body: "{{isp}}: {{name}}, आपका पैकेज {{package}} {{expiration}} को समाप्त होगा। कीमत {{price}}, बैलेंस {{balance}}। भुगतान संख्या: {{reference}}।\n{{pay_link}}",
  },
  expired: {
    subject: "आपका इंटरनेट समाप्त हो गया",
    body: "{{isp}}: {{name}}, आपका पैकेज {{package}} {{expiration}} को समाप्त हो गया। कीमत {{price}}, बैलेंस {{balance}}। भुगतान संख्या: {{reference}}।\n{{pay_link}}",
  },
  quota_80: {
    subject: "आपका {{percent}} % डेटा खर्च हो चुका है",
    body: "{{isp}}: {{name}}, आपने {{quota_total}} में से {{quota_used}} खर्च कर लिया है ({{percent}} %)।",
  },
  password_changed: {
    subject: "आपका पासवर्ड बदला गया",
    body: "{{isp}}: {{username}} का पासवर्ड बदला गया है। यदि यह आपने नहीं किया, तो हमें तुरंत बताएँ।\n{{contact}}",
  },
};

import type { Ready } from "./names.ts";

export const hi: Ready = {
  welcome: {
    subject: "{{isp}} में आपका स्वागत है",
    body: "{{isp}}: {{name}}, आपका स्वागत है। यूज़रनेम: {{username}}। हर भुगतान के साथ रेफ़रेंस {{reference}} लिखें।\n{{contact}}",
  },
  payment_receipt: {
    subject: "रसीद {{number}}",
    body: "{{isp}}: {{name}}, आपका {{amount}} का भुगतान मिल गया। रसीद: {{number}}। बैलेंस: {{balance}}।",
  },
  expires_soon: {
    subject: "आपका पैक {{date}} को खत्म होगा",
    body: "{{isp}}: {{name}}, आपका पैक ({{package}}) {{expiration}} को खत्म होगा। कीमत: {{price}}। बैलेंस: {{balance}}। रेफ़रेंस: {{reference}}।\n{{pay_link}}",
  },
  expired: {
    subject: "आपका पैक खत्म हो गया है",
    body: "{{isp}}: {{name}}, आपका पैक ({{package}}) {{expiration}} को खत्म हो गया। कीमत: {{price}}। बैलेंस: {{balance}}। रेफ़रेंस: {{reference}}।\n{{pay_link}}",
  },
  quota_80: {
    subject: "आपका {{percent}}% डेटा इस्तेमाल हो चुका है",
    body: "{{isp}}: {{name}}, आपका {{quota_total}} में से {{quota_used}} डेटा इस्तेमाल हो चुका है ({{percent}}%)।",
  },
  password_changed: {
    subject: "आपका पासवर्ड बदल गया है",
    body: "{{isp}}: {{username}} का पासवर्ड बदल गया है। अगर यह आपने नहीं किया, तो हमें तुरंत बताएँ।\n{{contact}}",
  },
  online_again: {
    subject: "आप {{date}} तक ऑनलाइन हैं",
    body: "{{isp}}: {{name}}, आपका पैक ({{package}}) {{expiration}} तक चालू है। बैलेंस: {{balance}}।",
  },
  router_silent: {
    subject: "राउटर {{router}} जवाब नहीं दे रहा",
    body: "{{isp}}: राउटर {{router}} से अब कुछ नहीं आ रहा। कंसोल में देखें।",
  },
  router_back: {
    subject: "राउटर {{router}} वापस आ गया",
    body: "{{isp}}: राउटर {{router}} फिर से जवाब दे रहा है।",
  },
  payment_unmatched: {
    subject: "एक भुगतान देखना है",
    body: "{{isp}}: {{provider}} से {{amount}} का भुगतान आया और दर्ज नहीं हो सका। रेफ़रेंस: {{reference}}।",
  },
};

import type { Ready } from "./names.ts";

export const bn: Ready = {
  welcome: {
    subject: "{{isp}}-এ স্বাগতম",
    body: "{{isp}}: {{name}}, স্বাগতম। ইউজারনেম: {{username}}। প্রতিবার টাকা দেওয়ার সময় রেফারেন্স {{reference}} লিখুন।\n{{contact}}",
  },
  payment_receipt: {
    subject: "রসিদ {{number}}",
    body: "{{isp}}: {{name}}, আপনার দেওয়া {{amount}} আমরা পেয়েছি। রসিদ: {{number}}। ব্যালেন্স: {{balance}}।",
  },
  expires_soon: {
    subject: "আপনার প্যাকেজের মেয়াদ {{date}} তারিখে শেষ",
    body: "{{isp}}: {{name}}, আপনার প্যাকেজ {{package}}-এর মেয়াদ শেষ হবে {{expiration}}। দাম: {{price}}। ব্যালেন্স: {{balance}}। রেফারেন্স: {{reference}}।\n{{pay_link}}",
  },
  expired: {
    subject: "আপনার প্যাকেজের মেয়াদ শেষ",
    body: "{{isp}}: {{name}}, আপনার প্যাকেজ {{package}}-এর মেয়াদ শেষ হয়েছে {{expiration}}। দাম: {{price}}। ব্যালেন্স: {{balance}}। রেফারেন্স: {{reference}}।\n{{pay_link}}",
  },
  quota_80: {
    subject: "আপনার {{percent}}% ডেটা শেষ",
    body: "{{isp}}: {{name}}, আপনার {{quota_total}} ডেটার মধ্যে {{quota_used}} ব্যবহার হয়েছে ({{percent}}%)।",
  },
  password_changed: {
    subject: "আপনার পাসওয়ার্ড বদলানো হয়েছে",
    body: "{{isp}}: {{username}}-এর পাসওয়ার্ড বদলানো হয়েছে। আপনি না বদলালে আমাদের এখনই জানান।\n{{contact}}",
  },
  online_again: {
    subject: "আপনি {{date}} পর্যন্ত অনলাইন",
    body: "{{isp}}: {{name}}, আপনার প্যাকেজ {{package}} চালু থাকবে {{expiration}} পর্যন্ত। ব্যালেন্স: {{balance}}।",
  },
  router_silent: {
    subject: "রাউটার {{router}} সাড়া দিচ্ছে না",
    body: "{{isp}}: রাউটার {{router}} থেকে আর কিছু আসছে না। কনসোলে দেখুন।",
  },
  router_back: {
    subject: "রাউটার {{router}} ফিরে এসেছে",
    body: "{{isp}}: রাউটার {{router}} আবার সাড়া দিচ্ছে।",
  },
  payment_unmatched: {
    subject: "একটি পেমেন্ট দেখতে হবে",
    body: "{{isp}}: {{provider}} থেকে {{amount}} এসেছে, কিন্তু হিসাবে তোলা যায়নি। রেফারেন্স: {{reference}}।",
  },
};

import type { Ready } from "./names.ts";

export const bn: Ready = {
  welcome: {
    subject: "{{isp}}-এ স্বাগতম",
    body: "{{name}}, {{isp}}-এ স্বাগতম। আপনার লগইন {{username}}। টাকা দেওয়ার সময় {{reference}} লিখুন।\n{{contact}}",
  },
  payment_receipt: {
    subject: "রসিদ {{number}}",
    body: "{{isp}}: {{name}}, আপনার কাছ থেকে {{amount}} পেয়েছি। রসিদ {{number}}। আপনার ব্যালেন্স {{balance}}।",
  },
  expires_soon: {
    subject: "আপনার ইন্টারনেট {{date}} শেষ হবে",
    body: "{{isp}}: {{name}}, আপনার প্যাকেজ {{package}} {{expiration}} শেষ হবে। দাম {{price}}, ব্যালেন্স {{balance}}। পেমেন্ট নম্বর: {{reference}}।\n{{pay_link}}",
  },
  expired: {
    subject: "আপনার ইন্টারনেট শেষ হয়েছে",
    body: "{{isp}}: {{name}}, আপনার প্যাকেজ {{package}} {{expiration}} শেষ হয়েছে। দাম {{price}}, ব্যালেন্স {{balance}}। পেমেন্ট নম্বর: {{reference}}।\n{{pay_link}}",
  },
  quota_80: {
    subject: "আপনার {{percent}} % ডেটা ব্যবহার হয়েছে",
    body: "{{isp}}: {{name}}, আপনি {{quota_total}}-এর মধ্যে {{quota_used}} ব্যবহার করেছেন ({{percent}} %)।",
  },
  password_changed: {
    subject: "আপনার পাসওয়ার্ড বদলানো হয়েছে",
    body: "{{isp}}: {{username}}-এর পাসওয়ার্ড বদলানো হয়েছে। আপনি না বদলালে আমাদের এখনই জানান।\n{{contact}}",
  },
};

import type { Ready } from "./names.ts";

export const ur: Ready = {
  welcome: {
    subject: "{{isp}} میں خوش آمدید",
    body: "{{isp}}: {{name}}، خوش آمدید۔ یوزر نیم: {{username}}۔ ہر ادائیگی کے ساتھ حوالہ نمبر {{reference}} لکھیں۔\n{{contact}}",
  },
  payment_receipt: {
    subject: "رسید {{number}}",
    body: "{{isp}}: {{name}}، آپ کی {{amount}} کی ادائیگی موصول ہو گئی۔ رسید: {{number}}۔ بیلنس: {{balance}}۔",
  },
  expires_soon: {
    subject: "آپ کا پیکیج {{date}} کو ختم ہوگا",
    body: "{{isp}}: {{name}}، آپ کا پیکیج ({{package}}) {{expiration}} کو ختم ہوگا۔ تجدید: {{price}}۔ بیلنس: {{balance}}۔ حوالہ نمبر: {{reference}}۔\n{{pay_link}}",
  },
  expired: {
    subject: "آپ کا پیکیج ختم ہو گیا ہے",
    body: "{{isp}}: {{name}}، آپ کا پیکیج ({{package}}) {{expiration}} کو ختم ہو گیا۔ تجدید: {{price}}۔ بیلنس: {{balance}}۔ حوالہ نمبر: {{reference}}۔\n{{pay_link}}",
  },
  quota_80: {
    subject: "آپ کا {{percent}} فیصد ڈیٹا استعمال ہو چکا",
    body: "{{isp}}: {{name}}، آپ کا {{quota_total}} میں سے {{quota_used}} ڈیٹا استعمال ہو چکا ہے ({{percent}} فیصد)۔",
  },
  password_changed: {
    subject: "آپ کا پاس ورڈ بدل دیا گیا ہے",
    body: "{{isp}}: {{username}} کا پاس ورڈ بدل دیا گیا ہے۔ اگر یہ آپ نے نہیں کیا تو ہمیں فوراً بتائیں۔\n{{contact}}",
  },
  online_again: {
    subject: "آپ {{date}} تک آن لائن ہیں",
    body: "{{isp}}: {{name}}، آپ کا پیکیج ({{package}}) {{expiration}} تک چالو ہے۔ بیلنس: {{balance}}۔",
  },
  router_silent: {
    subject: "راؤٹر {{router}} جواب نہیں دے رہا",
    body: "{{isp}}: راؤٹر {{router}} سے اب کچھ نہیں آ رہا۔ کنسول میں دیکھیں۔",
  },
  router_back: {
    subject: "راؤٹر {{router}} واپس آ گیا",
    body: "{{isp}}: راؤٹر {{router}} دوبارہ جواب دے رہا ہے۔",
  },
  payment_unmatched: {
    subject: "ایک ادائیگی پر توجہ چاہیے",
    body: "{{isp}}: {{provider}} سے {{amount}} کی رقم آئی اور درج نہ ہو سکی۔ حوالہ نمبر: {{reference}}۔",
  },
};

import { testShortForms } from "./short-form.ts";
import { ofShapers } from "./trials.ts";

testShortForms(ofShapers);

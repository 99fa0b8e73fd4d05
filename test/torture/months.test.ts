import { testShortForms } from "./short-form.ts";
import { ofMonths } from "./trials.ts";

testShortForms(ofMonths);

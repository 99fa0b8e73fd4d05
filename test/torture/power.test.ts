import { testShortForms } from "./short-form.ts";
import { ofPower } from "./trials.ts";

testShortForms(ofPower);

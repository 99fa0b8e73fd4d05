import { testShortForms } from "./short-form.ts";
import { ofWork } from "./trials.ts";

testShortForms(ofWork);

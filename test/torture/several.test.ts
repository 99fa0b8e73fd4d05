import { testShortForms } from "./short-form.ts";
import { ofSeveral } from "./trials.ts";

testShortForms(ofSeveral);

import { testShortForms } from "./short-form.ts";
import { ofStrangers } from "./trials.ts";

testShortForms(ofStrangers);

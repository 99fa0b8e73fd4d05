import { testShortForms } from "./short-form.ts";
import { ofTheBox } from "./trials.ts";

testShortForms(ofTheBox);

import { testShortForms } from "./short-form.ts";
import { ofItsParts } from "./trials.ts";

testShortForms(ofItsParts);

import { testShortForms } from "./short-form.ts";
import { ofSecrets } from "./trials.ts";

testShortForms(ofSecrets);

import { testPages } from "./every-page.ts";

testPages(0, 3);

import { testPages } from "./every-page.ts";

testPages(2, 3);

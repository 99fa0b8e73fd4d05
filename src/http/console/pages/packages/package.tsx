import type { Child } from "hono/jsx";
import { applyPackage } from "../../../../domain/service/control/apply-package.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { kindsInUse } from "../../../../domain/goods/nas/find.ts";
import {
  deletePackage,
  packageById,
  type PricedPackage,
  setPackageStatus,
} from "../../../../domain/goods/packages/packages.ts";
import { isPackageUsed, type PackageSales, packageSales } from "../../../../domain/around/reports/sales.ts";
import { countHolders } from "../../../../domain/goods/packages/terms.ts";
import { packageReply } from "../../../../domain/service/access/package-reply.ts";
import { isTopUp } from "../../../../domain/goods/packages/top-up.ts";
import { Isps } from "../../../../domain/money/sums/isps.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { failedAtOnce } from "../../../pages/attempt.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { HourLines, TierLines } from "./fair-lines.tsx";
import { describeSpeed } from "../../parts/phrases.ts";
import { SoldMonths } from "./sold-months.tsx";
import { RouterReply } from "../../parts/attributes.tsx";

const HREF = "/console/packages";
const readId = ({ params }: StaffVisit) => pathId("package", params["id"] ?? null);

export function showPackage(visit: StaffVisit): Response {
  const { db, by, now, view, formToken } = visit;
  const { packages } = view.words;
  const sold = packageById(db, by, readId(visit));
  const isps = new Isps(db);
  const sales = packageSales(db, by, { now, isps }).find(({ packageId }) => packageId === sold.id);
  const manages = may(by, "package_manage") && seesWholeIsp(by.scope);
  const onOld = manages ? countHolders(db, by.scope, sold, now) : 0;
  return page(
    visit,
    <Frame
      visit={visit}
      title={sold.name}
      place="packages"
      back={{ href: "/console/packages", label: view.words.places.packages }}
    >
      <div class="page-head">
        <h1>
          <bdi>{sold.name}</bdi>
        </h1>
        {sold.status === 0 && <Chip>{packages.notSold}</Chip>}
        {isTopUp(sold) && <Chip>{view.words.fairUse.facts.isTopUp}</Chip>}
        {manages && (
          <div class="actions">
            <Button href={`${HREF}/${sold.id}/edit`} icon="edit">
              {packages.edit}
            </Button>
            <Action
              action={`${HREF}/${sold.id}/${sold.status === 1 ? "disable" : "enable"}`}
              formToken={formToken}
              kind={sold.status === 1 ? "danger" : "outline"}
            >
              {sold.status === 1 ? packages.disable : packages.enable}
            </Action>
            {!isPackageUsed(db, sold) && (
              <form class="action" method="post" action={`${HREF}/${sold.id}/delete`}>
                <input type="hidden" name="form_token" value={formToken} />
                <Button kind="danger">{packages.delete}</Button>
              </form>
            )}
          </div>
        )}
      </div>
      <div class="split">
        <div>
          {onOld > 0 && <OldTerms visit={visit} sold={sold} holders={onOld} />}
          <Card
            title={packages.whatIsSold}
            aside={<AuditLogLink visit={visit} entity="package" entityId={sold.id} />}
          >
            <PackageFacts visit={visit} sold={sold} sales={sales} />
          </Card>
          <SoldMonths visit={visit} sold={sold} isps={isps} />
        </div>
        {isTopUp(sold) ? (
          <Card title={packages.told}>
            <p class="hint">{view.words.fairUse.facts.addedTo}</p>
          </Card>
        ) : (
          <Reply visit={visit} sold={sold} />
        )}
      </div>
    </Frame>,
  );
}

/** Attributes by kind. */
function Reply({ visit: { db, view, now, query }, sold }: { visit: StaffVisit; sold: PricedPackage }) {
  const { packages } = view.words;
  const kinds = kindsInUse(db, sold.ispId);
  const router = kinds.find((kind) => kind === query.get("kind")) ?? kinds[0];
  return (
    <Card title={packages.told} lead={packages.toldLead}>
      {kinds.length > 1 && (
        <div class="told-by">
          <Segments
            label={view.words.routers.fact.kind}
            tabs={kinds.map((kind) => ({
              href: `${HREF}/${sold.id}?kind=${kind}`,
              label: view.words.routers.fact.kinds[kind],
              current: kind === router,
            }))}
          />
        </div>
      )}
      <RouterReply view={view} attributes={packageReply(db, sold, { now, router })} />
    </Card>
  );
}

function OldTerms({
  visit: { view, formToken },
  sold,
  holders,
}: {
  visit: StaffVisit;
  sold: PricedPackage;
  holders: number;
}) {
  const { packages } = view.words;
  return (
    <Verdict
      tone="warn"
      icon="history"
      label={packages.oldTerms}
      title={packages.oldTermsTitle(holders)}
      text={packages.oldTermsText}
      hint={packages.applyHint}
      actions={
        <Action action={`${HREF}/${sold.id}/apply`} formToken={formToken} kind="solid" size="large">
          {packages.apply(holders)}
        </Action>
      }
    />
  );
}

function PackageFacts({
  visit: { view },
  sold,
  sales,
}: {
  visit: StaffVisit;
  sold: PricedPackage;
  sales: PackageSales | undefined;
}) {
  const { format, words } = view;
  const { packages, fairUse } = words;
  const sum = (minor: number) => format.sum(minor, view.brand.currency);
  const earned = (minor: number | null | undefined) => (typeof minor === "number" ? sum(minor) : null);
  return (
    <Facts
      facts={[
        [
          packages.price(""),
          sold.tax > 0
            ? packages.priceWithTax(sum(sold.price), format.amount(sold.net), format.amount(sold.tax))
            : sum(sold.price),
        ],
        [packages.resellerPrice, sold.resellerPrice === null ? null : sum(sold.resellerPrice)],
        ...(isTopUp(sold) ? [] : listTerms(view, sold)),
        [fairUse.facts.adds, describeAdds(view, sold)],
        [
          packages.active,
          <a href={`/console/subscribers?package=${sold.id}&status=active`}>
            {format.number(sales?.active ?? 0)}
          </a>,
        ],
        [packages.thisMonth, earned(sales?.thisMonth)],
        [packages.lastMonth, earned(sales?.lastMonth)],
      ]}
    />
  );
}

/** The terms of a line; a top-up changes none of them. */
function listTerms(view: StaffVisit["view"], sold: PricedPackage): [string, Child][] {
  const { format, words } = view;
  const { packages, fairUse } = words;
  return [
    [
      packages.span,
      `${format.span(sold.duration, sold.durationUnit)}${view.words.list.comma}${packages[sold.billingType]}`,
    ],
    [packages.speed, describeSpeed(view, sold.rateLimit)],
    [packages.quota, sold.dataQuotaBytes === 0 ? packages.noQuota : format.bytes(sold.dataQuotaBytes)],
    [fairUse.facts.tiers, sold.tiers && <TierLines view={view} tiers={sold.tiers} />],
    [
      fairUse.facts.window,
      sold.fairWindow === "period" && sold.tiers === null ? null : fairUse.editor.windows[sold.fairWindow],
    ],
    [fairUse.facts.hours, sold.hours && <HourLines view={view} hours={sold.hours} />],
  ];
}

/** The data and days of a top-up. */
function describeAdds({ words, format }: StaffVisit["view"], sold: PricedPackage): string | null {
  const { facts } = words.fairUse;
  const { topUpBytes, topUpDays, topUpRolls } = sold;
  const adds = [
    topUpBytes > 0 && facts.addsBytes(format.bytes(topUpBytes), topUpRolls === 1),
    topUpDays > 0 && format.span(topUpDays, "day"),
  ].filter((one) => one !== false);
  return adds.length === 0 ? null : adds.join(words.list.comma);
}

export async function setStatus(visit: StaffVisit, status: 0 | 1): Promise<Response> {
  const { db, by, now, view } = visit;
  const { packages } = view.words;
  const { name, id } = setPackageStatus(db, by, { id: readId(visit), status }, { now });
  const title = status === 1 ? packages.enabled(name) : packages.disabled(name);
  return flash(
    visit,
    { kind: "good", title, ...(status === 0 && { text: packages.disabledText }) },
    `${HREF}/${id}`,
  );
}

export async function remove(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = readId(visit);
  const done = await attempt(visit, async () => deletePackage(db, by, { id }, { now }));
  const { packages } = view.words;
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: packages.notDeleted, text: done.message }, `${HREF}/${id}`);
  return flash(visit, { kind: "good", title: packages.deleted(done.name) }, HREF, { leaves: true });
}

/** Applies the current terms to all holders, and reports their routers' answers. */
export async function apply(visit: StaffVisit, _input: Input): Promise<Response> {
  const { db, by, view, needs } = visit;
  const packageId = readId(visit);
  const { changed, sessions, failures } = await failedAtOnce(applyPackage(db, by, { packageId }, needs));
  const { packages } = view.words;
  const kind = failures.length > 0 ? "bad" : "good";
  const more = failures.slice(0, 3).join(view.words.list.semicolon);
  const text = [packages.sessions(sessions), more].filter(Boolean).join(" ");
  return flash(visit, { kind, title: packages.applied(changed), text }, `${HREF}/${packageId}`);
}

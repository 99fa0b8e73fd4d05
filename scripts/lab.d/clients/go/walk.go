// The walk of an office's program by the client that oapi-codegen has made of the document: walk ADDRESS USERNAME PASSWORD.
package main

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"time"

	gatehouse "gatehouse.invalid/gatehouse-client"
	"github.com/oapi-codegen/nullable"
)

func main() {
	address, username, password := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	basic := gatehouse.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(username, password)
		return nil
	})
	office := made(gatehouse.NewClientWithResponses(address, basic))

	login := made(office.LoginWithResponse(ctx, gatehouse.LoginJSONRequestBody{Email: username, Password: password}))
	there(login.JSON200, login.Body)
	token := login.JSON200.Data.Token
	own := made(gatehouse.NewClientWithResponses(address, gatehouse.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		})))
	profile := made(own.ProfileWithResponse(ctx))
	there(profile.JSON200, profile.Body)
	same(profile.JSON200.Data.User.Username, username, "who is signed in")
	isp := profile.JSON200.Data.User.IspId

	choices := made(office.ListChoicesWithResponse(ctx, nil))
	there(choices.JSON200, choices.Body)
	sold := made(office.GetPackageWithResponse(ctx, choices.JSON200.Packages[0].Id, nil))
	there(sold.JSON200, sold.Body)
	name := fmt.Sprintf("walk-go-%d", time.Now().UnixNano())
	created := made(office.CreateSubscriberWithResponse(ctx, nil, gatehouse.CreateSubscriber{
		IspId: isp, Name: "Wanda Walker", Username: name, Password: "pw-wanda",
		PackageId: sold.JSON200.Id, ConnectionTypeId: 1, SalespersonId: choices.JSON200.Salespersons[0].Id,
		NasId: choices.JSON200.Nas[0].Id, NicNumber: name, MobileNumber: name,
		Email: nullable.NewNullableWithValue(name + "@example.com"),
	}))
	there(created.JSON200, created.Body)
	id := created.JSON200.Id
	get := func() gatehouse.Subscriber {
		found := made(office.GetSubscriberWithResponse(ctx, id, nil))
		there(found.JSON200, found.Body)
		return *found.JSON200
	}

	inactive := gatehouse.ListSubscribersParamsProfileStatusInactive
	found := made(office.ListSubscribersWithResponse(ctx, &gatehouse.ListSubscribersParams{Username: &name, ProfileStatus: &inactive}))
	there(found.JSON200, found.Body)
	same(len(*found.JSON200), 1, "who is listed by the filters")
	seen := map[int]bool{}
	for offset := gatehouse.OffsetParameter(0); offset < 6; offset += 2 {
		limit := gatehouse.LimitParameter(2)
		page := made(office.ListSubscribersWithResponse(ctx, &gatehouse.ListSubscribersParams{Limit: &limit, Offset: &offset}))
		there(page.JSON200, page.Body)
		for _, one := range *page.JSON200 {
			seen[one.Id] = true
		}
		same(len(seen), min(int(*page.Headers200.XTotalCount), int(offset)+2), "rows of the pages so far")
	}

	amount := sold.JSON200.Price + 0.1 + 0.2 // a sum of floats
	key := gatehouse.TakePaymentParams{IdempotencyKey: &name}
	body := gatehouse.TakePayment{UserId: &id, Amount: amount, Method: "cash"}
	taken := made(office.TakePaymentWithResponse(ctx, &key, body))
	there(taken.JSON200, taken.Body)
	again := made(office.TakePaymentWithResponse(ctx, &key, body))
	there(again.JSON200, again.Body)
	same(again.JSON200.Payment.Id, taken.JSON200.Payment.Id, "the payment of the same key")
	same(again.HTTPResponse.Header.Get("Idempotent-Replayed"), "true", "what a repeated answer says")
	same(get().Balance, math.Round(amount*100)/100, "the balance to the cent")

	activation := gatehouse.Activate{UserId: id, PackageId: sold.JSON200.Id}
	activated := made(office.ActivateWithResponse(ctx, nil, activation))
	there(activated.JSON200, activated.Body)
	same(activated.JSON200.AmountCharged, sold.JSON200.Price, "what was charged")
	same(get().Balance, 0.3, "what is left to the cent")
	refused := made(office.ActivateWithResponse(ctx, nil, activation))
	there(refused.JSON429, refused.Body)
	same(refused.JSON429.Code, "too_soon", "the code of a refusal")

	same(get().Email.MustGet(), name+"@example.com", "the address")
	cleared := made(office.UpdateSubscriberWithResponse(ctx, nil, gatehouse.UpdateSubscriber{
		IspId: &isp, Username: name, Email: nullable.NewNullNullable[string](),
	}))
	there(cleared.JSON200, cleared.Body)
	same(get().Email.IsNull(), true, "that the address was cleared")
	fmt.Printf("%s: %v of %v\n", name, sold.JSON200.Price, amount)
}

func made[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func there[T any](value *T, body []byte) {
	if value == nil {
		panic(string(body))
	}
}

func same[T comparable](seen, expected T, what string) {
	if seen != expected {
		panic(fmt.Sprintf("%s: %v, not %v", what, seen, expected))
	}
}

// mcp-go over Streamable HTTP, listening for what belongs to no call.
package main

import (
	"context"
	"errors"
	"sync"

	"clients/plan"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type answers struct{}

func (answers) CreateMessage(context.Context, mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	message := mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent("a model")}
	return &mcp.CreateMessageResult{SamplingMessage: message, Model: "test"}, nil
}

func (answers) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	response := mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{"name": "Ada"}}
	return &mcp.ElicitationResult{ElicitationResponse: response}, nil
}

func (answers) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///work", Name: "Work"}}}, nil
}

// Reports may be handled after the answer to their call.
type reports struct {
	lock     sync.Mutex
	token    any
	progress []float64
	onReport func()
}

func (r *reports) add(token any, value float64) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if token != r.token {
		return
	}
	r.progress = append(r.progress, value)
	r.onReport()
}

func (r *reports) restart(token any, onReport func()) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.token, r.progress, r.onReport = token, []float64{}, onReport
}

func (r *reports) taken() []float64 {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.progress
}

func call(ctx context.Context, session *client.Client, step plan.Step, token any) (string, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = step.Name
	// A map that is nil would be sent as null.
	if step.Arguments != nil {
		request.Params.Arguments = step.Arguments
	}
	if token != nil {
		request.Params.Meta = &mcp.Meta{ProgressToken: token}
	}
	result, err := session.CallTool(ctx, request)
	if err != nil || len(result.Content) == 0 {
		return "", err
	}
	text, ok := result.Content[0].(mcp.TextContent)
	if !ok {
		return "", errors.New("its first content is no text")
	}
	return text.Text, nil
}

func calls(session *client.Client, told *reports) map[string]plan.Work {
	return map[string]plan.Work{
		"callTool": func(ctx context.Context, step plan.Step) (any, error) {
			return call(ctx, session, step, nil)
		},
		"callWithProgress": func(ctx context.Context, step plan.Step) (any, error) {
			told.restart("with-progress", func() {})
			text, err := call(ctx, session, step, "with-progress")
			return plan.WithProgress{Text: text, Progress: told.taken()}, err
		},
		"cancel": func(ctx context.Context, step plan.Step) (any, error) {
			ctx, giveUp := context.WithCancel(ctx)
			defer giveUp()
			told.restart("given-up", giveUp)
			text, err := call(ctx, session, step, "given-up")
			if errors.Is(err, context.Canceled) {
				return "given up", nil
			}
			return text, err
		},
	}
}

func names[T any](items []T, name func(T) string) []string {
	found := []string{}
	for _, item := range items {
		found = append(found, name(item))
	}
	return found
}

func lists(session *client.Client) map[string]plan.Work {
	return map[string]plan.Work{
		"listTools": func(ctx context.Context, _ plan.Step) (any, error) {
			result, err := session.ListTools(ctx, mcp.ListToolsRequest{})
			if err != nil {
				return nil, err
			}
			return names(result.Tools, func(tool mcp.Tool) string { return tool.Name }), nil
		},
		"listPrompts": func(ctx context.Context, _ plan.Step) (any, error) {
			result, err := session.ListPrompts(ctx, mcp.ListPromptsRequest{})
			if err != nil {
				return nil, err
			}
			return names(result.Prompts, func(prompt mcp.Prompt) string { return prompt.Name }), nil
		},
		"listResources": func(ctx context.Context, _ plan.Step) (any, error) {
			result, err := session.ListResources(ctx, mcp.ListResourcesRequest{})
			if err != nil {
				return nil, err
			}
			return names(result.Resources, func(resource mcp.Resource) string { return resource.URI }), nil
		},
		"listTemplates": func(ctx context.Context, _ plan.Step) (any, error) {
			result, err := session.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
			if err != nil {
				return nil, err
			}
			return names(result.ResourceTemplates, func(one mcp.ResourceTemplate) string { return one.URITemplate.Raw() }), nil
		},
	}
}

func offers(session *client.Client) map[string]plan.Work {
	return map[string]plan.Work{
		"getPrompt": func(ctx context.Context, step plan.Step) (any, error) {
			request := mcp.GetPromptRequest{}
			request.Params.Name = step.Name
			result, err := session.GetPrompt(ctx, request)
			if err != nil {
				return nil, err
			}
			return result.Messages[0].Content.(mcp.TextContent).Text, nil
		},
		"readResource": func(ctx context.Context, step plan.Step) (any, error) {
			request := mcp.ReadResourceRequest{}
			request.Params.URI = step.URI
			result, err := session.ReadResource(ctx, request)
			if err != nil {
				return nil, err
			}
			return result.Contents[0].(mcp.TextResourceContents).Text, nil
		},
	}
}

func connect(ctx context.Context, wanted plan.Plan) (map[string]plan.Work, func(), error) {
	carrier, err := transport.NewStreamableHTTP(wanted.URL,
		transport.WithHTTPHeaders(wanted.Headers), transport.WithContinuousListening())
	if err != nil {
		return nil, nil, err
	}
	session := client.NewClient(carrier, client.WithSamplingHandler(answers{}),
		client.WithElicitationHandler(answers{}), client.WithRootsHandler(answers{}))
	changes := make(chan struct{}, 1)
	told := &reports{onReport: func() {}}
	session.OnNotification(func(notification mcp.JSONRPCNotification) {
		switch notification.Method {
		case "notifications/tools/list_changed":
			plan.Tell(changes)
		case "notifications/progress":
			if value, ok := notification.Params.AdditionalFields["progress"].(float64); ok {
				told.add(notification.Params.AdditionalFields["progressToken"], value)
			}
		}
	})
	if err := session.Start(ctx); err != nil {
		return nil, nil, err
	}
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	request.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1"}
	if _, err := session.Initialize(ctx, request); err != nil {
		return nil, nil, err
	}
	steps := calls(session, told)
	for _, more := range []map[string]plan.Work{lists(session), offers(session)} {
		for name, work := range more {
			steps[name] = work
		}
	}
	steps["awaitChange"] = plan.Await(changes)
	return steps, func() { session.Close() }, nil
}

func main() { plan.Run(connect) }
